"""A coarse tolerance gives an interval sooner, and the interval contains the true cost."""

import numpy as np
import ot
import pytest

from tests.transport.samples import gaussian
from wassay.transport import GivenCost, PointCost, Power, cost_block, solve


@pytest.fixture(autouse=True)
def list_pairs_at_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wassay.transport.solvers.solve.MAX_DENSE_PAIRS", 0)


@pytest.mark.parametrize("dimension", [2, 10, 300])
@pytest.mark.parametrize("shift", [0.0, 3.0])
@pytest.mark.parametrize("given", [True, False])
def test_the_interval_contains_the_cost(dimension: int, shift: float, given: bool) -> None:
    rng = np.random.default_rng(dimension)
    mu, nu = gaussian(rng, 520, dimension, shift), gaussian(rng, 610, dimension)
    matrix = cost_block(mu.points, nu.points)
    true = ot.emd2(mu.weights, nu.weights, matrix, numItermax=10**7)
    cost = GivenCost(matrix) if given else PointCost(mu, nu)
    certificate = solve(
        cost, mu.weights, nu.weights, tolerance=0.01, memory_budget_bytes=0
    ).certificate
    assert certificate.dual <= true * (1 + 1e-12)
    assert certificate.primal >= true * (1 - 1e-12)
    assert certificate.relative_gap <= 0.01


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("offset", [0.0, 1e3])
def test_float32_costs_are_within_their_error_bound(p: Power, offset: float) -> None:
    rng = np.random.default_rng(7)
    mu, nu = gaussian(rng, 150, 40, offset), gaussian(rng, 170, 40, offset)
    exactly = cost_block(mu.points, nu.points, p)
    for cost in (PointCost(mu, nu, p), GivenCost(exactly)):
        off = np.abs(cost.float32_block(0, 150) - exactly).max()
        largest = max(map(abs, cost.extremes(0, 150)))
        assert 0 < off <= cost.float32_error(largest)
        assert cost.float32_error(largest) <= 0.01 * exactly.max()
