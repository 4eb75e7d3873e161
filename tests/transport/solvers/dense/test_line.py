"""Points on a line: sorting them is optimal for every convex cost of the difference.

If one side has two points in any space, sort the others by the difference of their two costs."""

import numpy as np
import ot
import pytest

from tests.transport.samples import random_weights
from tests.transport.solvers.test_solve import assert_certified
from wassay.transport import Measure, PointCost, Power, StackedCost, cost_block, solve

SHAPES = [(1, 1), (1, 6), (6, 1), (7, 7), (40, 60), (600, 700)]


@pytest.fixture(autouse=True)
def only_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the other solvers."""
    for name in ("solve_dense", "scale_epsilon"):
        monkeypatch.delattr(f"wassay.transport.solvers.solve.{name}")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("decimals", [1, 16])
def test_the_distance_is_that_of_the_quantile_functions(
    shape: tuple[int, int], p: Power, decimals: int
) -> None:
    rng = np.random.default_rng(shape)
    x, y = (np.round(rng.normal(size=n), decimals) for n in shape)
    a, b = (random_weights(rng, n) for n in shape)
    cost = PointCost(Measure(x[:, None]), Measure(y[:, None]), p)
    solution = solve(cost, a, b)
    assert_certified(cost_block(x[:, None], y[:, None], p), a, b, solution)
    assert solution.cost == pytest.approx(ot.wasserstein_1d(x, y, a, b, p=p), abs=1e-13)


def test_points_without_mass_and_stacked_sellers_are_solved() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(30, 1)), rng.normal(size=(20, 1))
    a = np.where(np.arange(30) % 3, 1 / 20, 0)
    buyer = Measure(y)
    stacked = StackedCost([PointCost(Measure(part), buyer) for part in (x[:11], x[11:])])
    solution = solve(stacked, a, buyer.weights)
    assert solution.cost == pytest.approx(ot.wasserstein_1d(x[a > 0, 0], y[:, 0], p=2), abs=1e-13)
    assert_certified(cost_block(x, y), a, buyer.weights, solution)


@pytest.mark.parametrize("shape", [(2, 1), (2, 2), (2, 700), (700, 2)])
@pytest.mark.parametrize("kind", ["any", "ties", "large", "far"])
def test_two_points_divide_the_others_by_difference_of_costs(
    random: np.random.Generator, shape: tuple[int, int], kind: str
) -> None:
    cost = {
        "any": random.normal(size=shape),
        "ties": random.integers(0, 3, shape).astype(float),
        "large": 1e120 * random.random(shape),
        "far": random.random(shape) + 1e4 * np.arange(shape[0])[:, None],
    }[kind]
    a, b = (random_weights(random, n) for n in shape)
    solution = solve(cost, a, b)
    assert_certified(cost, a, b, solution)
    assert solution.cost == pytest.approx(ot.emd2(a, b, cost, numItermax=10**7), rel=1e-9)
