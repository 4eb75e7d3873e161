import numpy as np
import pytest

from tests.transport.samples import gaussian
from wassay.transport import (
    BarycentricProjection,
    GivenCost,
    Measure,
    PointCost,
    TransportError,
    project,
    refine,
    wasserstein,
)


def pushed(seed: int, push: float = 0.3) -> tuple[Measure, BarycentricProjection]:
    rng = np.random.default_rng(seed)
    reference = gaussian(rng, 20, 4, std=2.0)
    eta = project(gaussian(rng, 40, 4), reference).interpolate(push)
    return eta, project(gaussian(rng, 55, 4, mean=0.3), reference)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("width", [0.02, 0.005])
def test_the_bracket_is_as_narrow_as_asked_everywhere_and_holds_the_truth(
    seed: int, width: float
) -> None:
    eta, seller = pushed(seed)
    weights = seller.measure.weights
    curve = refine(
        lambda s: PointCost(seller.interpolate(s), eta), weights, eta.weights, width=width
    )
    for s in np.linspace(0.05, 0.95, 91):
        bracket = curve.bracket(s)
        assert bracket is not None
        lower, upper = bracket
        assert np.sqrt(upper) - np.sqrt(lower) <= width * np.sqrt(upper) * (1 + 1e-9)
    for s in (0.1, 0.37, 0.8):
        bracket = curve.bracket(s)
        assert bracket is not None
        lower, upper = bracket
        true = wasserstein(seller.interpolate(s), eta).value ** 2
        assert lower - 1e-12 <= true <= upper + 1e-12


def test_few_solves_are_enough() -> None:
    eta, seller = pushed(0)
    curve = refine(
        lambda s: PointCost(seller.interpolate(s), eta),
        seller.measure.weights,
        eta.weights,
        width=0.02,
    )
    assert len(curve.points) <= 12


def test_a_narrower_range_is_solved_at_its_ends() -> None:
    eta, seller = pushed(1)
    curve = refine(
        lambda s: PointCost(seller.interpolate(s), eta),
        seller.measure.weights,
        eta.weights,
        between=(0.2, 0.4),
    )
    assert (curve.sweep[0], curve.sweep[-1]) == (0.2, 0.4)


def test_a_width_that_cannot_be_reached_ends_all_the_same() -> None:
    eta, seller = pushed(2)
    curve = refine(
        lambda s: PointCost(seller.interpolate(s), eta),
        seller.measure.weights,
        eta.weights,
        width=0.0,
        max_solves=10,
    )
    assert len(curve.points) <= 10


def test_costs_of_another_form_cannot_be_refined() -> None:
    rng = np.random.default_rng(3)
    with pytest.raises(TransportError, match="quadratic in s"):
        refine(lambda s: GivenCost(rng.random((6, 6))), np.full(6, 1 / 6), np.full(6, 1 / 6))
