import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from wassay.transport import Measure, TransportError
from wassay.transport.inversion import reflect


def matching(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the partner of each row of the first array, solved by POT."""
    weights = np.full(len(first), 1 / len(first))
    plan = ot.emd(weights, weights, ot.dist(first, second))
    return np.asarray(plan.argmax(axis=1), dtype=np.int64)


def converged_xi(
    mu: NDArray[np.float64], nu: NDArray[np.float64], rounds: int
) -> NDArray[np.float64]:
    """Run FedWad's rounds with t = ½, solved by POT."""
    xi = np.random.default_rng(1).normal(size=mu.shape)
    for _ in range(rounds):
        eta_mu, eta_nu = ((each + xi[matching(each, xi)]) / 2 for each in (mu, nu))
        xi = (eta_mu + eta_nu[matching(eta_mu, eta_nu)]) / 2
    return xi


@pytest.mark.parametrize(("rounds", "error"), [(40, 1e-9), (10, 1e-2), (3, 1.0)])
def test_the_xi_of_fedwad_gives_the_other_sides_records(rounds: int, error: float) -> None:
    rng = np.random.default_rng(0)
    mu, nu = rng.normal(size=(60, 20)), rng.gamma(2.0, size=(60, 20))
    found = reflect(Measure(mu), Measure(converged_xi(mu, nu, rounds))).points
    partners = nu[matching(found, nu)]
    distance, apart = (
        np.sqrt(np.square(each).sum(axis=1).mean())
        for each in (found - partners, mu - nu[matching(mu, nu)])
    )
    assert distance < error * apart


def test_sides_of_unequal_size_are_refused() -> None:
    with pytest.raises(TransportError, match="as many points as μ, 3, received 2"):
        reflect(Measure(np.eye(3)), Measure(np.eye(3)[:2]))
