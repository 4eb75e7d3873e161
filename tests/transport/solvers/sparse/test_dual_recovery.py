import numpy as np
import ot
import pytest
from scipy.optimize import linear_sum_assignment

from tests.transport.samples import gaussian
from wassay.transport import cost_block, interpolate_exact, solve
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.sparse.dual_recovery import recover_duals


def test_potentials_of_an_assignment_follow_from_its_costs() -> None:
    cost = np.random.default_rng(0).random((40, 40))
    rows, columns = linear_sum_assignment(cost)
    plan = Plan(rows, columns, np.full(40, 1 / 40))
    every_row, every_column = np.divmod(np.arange(1600), 40)
    f, g = recover_duals(plan, every_row, every_column, cost.ravel(), (40, 40))
    assert (cost - f[:, None] - g).min() >= -1e-12
    assert (f + g).mean() == pytest.approx(cost[rows, columns].mean())
    assert max(np.abs(f).max(), np.abs(g).max()) < 80


def test_pairs_off_the_list_are_no_constraints() -> None:
    # Two components of the plan, joined by the listed pair (0, 1): f[0] + g[1] may not exceed 0.2.
    plan = Plan(np.array([0, 1]), np.array([0, 1]), np.array([0.5, 0.5]))
    costs = np.array([1.0, 0.2, 5.0])
    f, g = recover_duals(plan, np.array([0, 0, 1]), np.array([0, 1, 1]), costs, (2, 2))
    assert f + g == pytest.approx([1.0, 5.0])
    assert f[0] + g[1] <= 0.2 + 1e-12


def test_measures_that_share_the_points_of_a_reference_are_certified() -> None:
    """Such a plan has as many connected components as the reference has points."""
    rng = np.random.default_rng(300)
    mu, nu = gaussian(rng, 100, 50, 20, 5), gaussian(rng, 500, 50, 100, 10)
    reference = gaussian(rng, 599, 50, std=10)
    one, other = (interpolate_exact(each, reference, 0.5) for each in (mu, nu))
    cost = cost_block(one.points, other.points)
    certificate = solve(cost, one.weights, other.weights).certificate
    expected = ot.emd2(one.weights, other.weights, cost, numItermax=10**8)
    assert certificate.primal == pytest.approx(expected, rel=1e-12)
    assert certificate.dual <= certificate.primal
    assert certificate.relative_gap <= 1e-9
