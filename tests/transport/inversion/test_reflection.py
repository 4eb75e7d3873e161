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
    mu: NDArray[np.float64], nu: NDArray[np.float64], rounds: int, t: float = 0.5
) -> NDArray[np.float64]:
    """Run FedWad's rounds with one t, solved by POT."""
    xi = np.random.default_rng(1).normal(size=mu.shape)
    for _ in range(rounds):
        eta_mu, eta_nu = ((1 - t) * each + t * xi[matching(each, xi)] for each in (mu, nu))
        xi = (1 - t) * eta_mu + t * eta_nu[matching(eta_mu, eta_nu)]
    return xi


def missed(mu: NDArray[np.float64], nu: NDArray[np.float64], xi: NDArray[np.float64]) -> float:
    """Return the distance between the reflection and ν, divided by that between μ and ν."""
    found = reflect(Measure(mu), Measure(xi)).points
    distance, apart = (
        np.sqrt(np.square(each - nu[matching(each, nu)]).sum(axis=1).mean()) for each in (found, mu)
    )
    return float(distance / apart)


@pytest.fixture
def sides() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(60, 20)), rng.gamma(2.0, size=(60, 20))


@pytest.mark.parametrize(("rounds", "error"), [(40, 1e-9), (10, 1e-2), (3, 1.0)])
def test_the_xi_of_fedwad_gives_the_other_sides_records(
    sides: tuple[NDArray[np.float64], NDArray[np.float64]], rounds: int, error: float
) -> None:
    assert missed(*sides, converged_xi(*sides, rounds)) < error


def test_with_another_t_the_reflection_misses(
    sides: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> None:
    assert missed(*sides, converged_xi(*sides, 40, t=0.3)) > 0.3


def test_sides_of_unequal_size_are_refused() -> None:
    with pytest.raises(TransportError, match="as many points as μ, 3, received 2"):
        reflect(Measure(np.eye(3)), Measure(np.eye(3)[:2]))
