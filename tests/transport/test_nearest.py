"""Copies: everybody's nearest partner is the optimum, and one look at all pairs proves it."""

import numpy as np
import ot
import pytest
from scipy.optimize import linear_sum_assignment

from tests.transport.test_exact import assert_proves_itself
from wassay.transport import Measure, Normal, PointCost, Reference, cost_block, project, solve
from wassay.transport.solvers.dense.nearest_neighbour import SAMPLE_SIZE

N = 520  # squared above the number of pairs up to which none is listed


def optimum(costs):
    """scipy's shortest augmenting paths, for equal weights."""
    return costs[linear_sum_assignment(costs)].mean()


@pytest.mark.parametrize("given", ["points", "costs"])
def test_a_shuffled_copy_with_little_noise_is_matched_by_nearest_points(random, given):
    x = random.normal(size=(N, 8))
    y = random.permutation(x) + 0.01 * random.normal(size=(N, 8))
    costs = cost_block(x, y)
    mu, nu = Measure(x), Measure(y)
    found = solve(costs if given == "costs" else PointCost(mu, nu), mu.weights, nu.weights)
    assert found.certificate.solver == "nearest"
    assert found.cost == pytest.approx(optimum(costs), rel=1e-12)
    assert found.certificate.dual == pytest.approx(found.cost, rel=1e-12)
    assert (costs - found.f[:, None] - found.g).min() >= -1e-15


@pytest.mark.parametrize("larger", ["rows", "columns"])
def test_several_copies_of_every_point_share_what_it_has(random, larger):
    x, weights = random.normal(size=(200, 3)), random.random(200)
    weights /= weights.sum()
    order = random.permutation(7 * 200)
    y = (np.repeat(x, 7, axis=0) + 1e-4 * random.normal(size=(7 * 200, 3)))[order]
    b = np.repeat(weights / 7, 7)[order]
    costs, given = cost_block(x, y), (weights, b)
    if larger == "rows":
        costs, given = costs.T.copy(), (b, weights)
    found = solve(costs, *given)
    assert found.certificate.solver == "nearest"
    assert_proves_itself(costs, *given, found)
    assert found.cost == pytest.approx(ot.emd2(*given, costs, numItermax=10**7), rel=1e-9)


@pytest.mark.parametrize("shape", [(1, 250_001), (250_001, 1)])
def test_a_single_point_takes_all(random, shape):
    costs, weights = random.normal(size=shape), random.random(250_001)
    weights /= weights.sum()
    found = solve(costs, *((np.ones(1), weights) if shape[0] == 1 else (weights, np.ones(1))))
    assert found.certificate.solver == "nearest"
    assert found.cost == pytest.approx(costs.ravel() @ weights, rel=1e-12)


def test_a_copy_keeps_weights_that_differ(random):
    x, weights, order = random.normal(size=(N, 8)), random.random(N), random.permutation(N)
    weights /= weights.sum()
    found = solve(cost_block(x, x[order]), weights, weights[order])
    assert found.certificate.solver == "nearest"
    assert found.cost == pytest.approx(0, abs=1e-14)


def test_measures_pushed_to_as_many_reference_points_as_they_have(random):
    reference = Reference(N, 4, Normal(), 7).measure()
    x, y = (
        project(Measure(random.normal(size=(N, 4))), reference).interpolate(0.97).points
        for _ in range(2)
    )
    costs = cost_block(x, y)
    found = solve(costs, np.full(N, 1 / N), np.full(N, 1 / N))
    assert found.certificate.solver == "nearest"
    assert found.cost == pytest.approx(optimum(costs), rel=1e-12)


def test_copies_one_of_which_is_nearer_to_another_point_are_solved_by_others(random):
    x = random.normal(size=(380, 4))
    y = np.concatenate([x, x]) + 1e-4 * random.normal(size=(760, 4))
    y[380 // (2 * (SAMPLE_SIZE - 1))] = x[-1]
    costs, a, b = cost_block(x, y), np.full(380, 1 / 380), np.full(760, 1 / 760)
    found = solve(costs, a, b)
    assert found.certificate.solver == "network-simplex"
    assert found.cost == pytest.approx(ot.emd2(a, b, costs, numItermax=10**7), rel=1e-9)


@pytest.mark.parametrize("spoilt", ["place", "weight", "duplicate"])
def test_what_is_a_copy_but_for_one_point_is_solved_by_others(random, spoilt):
    x = random.normal(size=(N, 8))
    y, b = x + 0.01 * random.normal(size=(N, 8)), np.full(N, 1 / N)
    # Not among the points that are looked at first.
    odd = N // (2 * (SAMPLE_SIZE - 1))
    if spoilt == "place":
        y[odd] = 3.0
    elif spoilt == "duplicate":
        x[odd] = x[odd + 1]
    else:
        b[odd], b[odd + 1] = 1.5 / N, 0.5 / N
    costs = cost_block(x, y)
    found = solve(costs, np.full(N, 1 / N), b)
    assert found.certificate.solver == "network-simplex"
    if spoilt != "weight":
        assert found.cost == pytest.approx(optimum(costs), rel=1e-9)
    assert found.certificate.relative_gap <= 1e-9
