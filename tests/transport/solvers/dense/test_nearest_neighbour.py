"""Nearest-neighbour plans are optimal for copies, certified in one scan."""

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from tests.transport.solvers.test_solve import assert_certified
from wassay.transport import Measure, Normal, PointCost, Reference, cost_block, project, solve
from wassay.transport.solvers.dense.nearest_neighbour import SAMPLE_SIZE

N = 520  # N² exceeds MAX_DENSE_PAIRS


def optimum(costs: NDArray[np.float64]) -> float:
    """Return the optimal cost for equal weights, by scipy's shortest augmenting paths."""
    return float(costs[linear_sum_assignment(costs)].mean())


@pytest.mark.parametrize("given", ["points", "costs"])
def test_a_shuffled_copy_with_little_noise_is_matched_by_nearest_neighbours(
    random: np.random.Generator, given: str
) -> None:
    x = random.normal(size=(N, 8))
    y = random.permutation(x) + 0.01 * random.normal(size=(N, 8))
    costs = cost_block(x, y)
    mu, nu = Measure(x), Measure(y)
    solution = solve(costs if given == "costs" else PointCost(mu, nu), mu.weights, nu.weights)
    assert solution.certificate.solver == "nearest"
    assert solution.cost == pytest.approx(optimum(costs), rel=1e-12)
    assert solution.certificate.dual == pytest.approx(solution.cost, rel=1e-12)
    assert (costs - solution.f[:, None] - solution.g).min() >= -1e-15


@pytest.mark.parametrize("larger", ["rows", "columns"])
def test_copies_of_a_point_share_its_mass(random: np.random.Generator, larger: str) -> None:
    x, weights = random.normal(size=(200, 3)), random.random(200)
    weights /= weights.sum()
    permutation = random.permutation(7 * 200)
    y = (np.repeat(x, 7, axis=0) + 1e-4 * random.normal(size=(7 * 200, 3)))[permutation]
    b = np.repeat(weights / 7, 7)[permutation]
    costs, given = cost_block(x, y), (weights, b)
    if larger == "rows":
        costs, given = costs.T.copy(), (b, weights)
    solution = solve(costs, *given)
    assert solution.certificate.solver == "nearest"
    assert_certified(costs, *given, solution)
    assert solution.cost == pytest.approx(ot.emd2(*given, costs, numItermax=10**7), rel=1e-9)


@pytest.mark.parametrize("shape", [(1, 250_001), (250_001, 1)])
def test_a_single_point_receives_all_mass(
    random: np.random.Generator, shape: tuple[int, int]
) -> None:
    costs, weights = random.normal(size=shape), random.random(250_001)
    weights /= weights.sum()
    solution = solve(costs, *((np.ones(1), weights) if shape[0] == 1 else (weights, np.ones(1))))
    assert solution.certificate.solver == "nearest"
    assert solution.cost == pytest.approx(costs.ravel() @ weights, rel=1e-12)


def test_a_copy_keeps_unequal_weights(random: np.random.Generator) -> None:
    x, weights, permutation = random.normal(size=(N, 8)), random.random(N), random.permutation(N)
    weights /= weights.sum()
    solution = solve(cost_block(x, x[permutation]), weights, weights[permutation])
    assert solution.certificate.solver == "nearest"
    assert solution.cost == pytest.approx(0, abs=1e-14)


def test_measures_pushed_to_a_reference_of_their_size_are_matched(
    random: np.random.Generator,
) -> None:
    reference = Reference(N, 4, Normal(), 7).measure()
    x, y = (
        project(Measure(random.normal(size=(N, 4))), reference).interpolate(0.97).points
        for _ in range(2)
    )
    costs = cost_block(x, y)
    solution = solve(costs, np.full(N, 1 / N), np.full(N, 1 / N))
    assert solution.certificate.solver == "nearest"
    assert solution.cost == pytest.approx(optimum(costs), rel=1e-12)


def test_a_copy_nearer_to_another_point_needs_another_solver(random: np.random.Generator) -> None:
    x = random.normal(size=(380, 4))
    y = np.concatenate([x, x]) + 1e-4 * random.normal(size=(760, 4))
    y[380 // (2 * (SAMPLE_SIZE - 1))] = x[-1]
    costs, a, b = cost_block(x, y), np.full(380, 1 / 380), np.full(760, 1 / 760)
    solution = solve(costs, a, b)
    assert solution.certificate.solver == "network-simplex"
    assert solution.cost == pytest.approx(ot.emd2(a, b, costs, numItermax=10**7), rel=1e-9)


@pytest.mark.parametrize("spoilt", ["position", "weight", "duplicate"])
def test_a_copy_with_one_changed_point_needs_another_solver(
    random: np.random.Generator, spoilt: str
) -> None:
    x = random.normal(size=(N, 8))
    y, b = x + 0.01 * random.normal(size=(N, 8)), np.full(N, 1 / N)
    # This point is not in the sample.
    odd = N // (2 * (SAMPLE_SIZE - 1))
    if spoilt == "position":
        y[odd] = 3.0
    elif spoilt == "duplicate":
        x[odd] = x[odd + 1]
    else:
        b[odd], b[odd + 1] = 1.5 / N, 0.5 / N
    costs = cost_block(x, y)
    solution = solve(costs, np.full(N, 1 / N), b)
    assert solution.certificate.solver == "network-simplex"
    if spoilt != "weight":
        assert solution.cost == pytest.approx(optimum(costs), rel=1e-9)
    assert solution.certificate.relative_gap <= 1e-9
