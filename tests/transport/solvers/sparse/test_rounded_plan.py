"""An interval needs no simplex: a rounded entropic plan costs little more than is proven."""

import numpy as np
import ot
import pytest

from tests.transport.samples import gaussian, random_weights
from wassay.transport import GivenCost, PointCost, cost_block, solve
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.sparse.pair_list import PairList
from wassay.transport.solvers.sparse.rounded_plan import SHARE_OF_GAP, rounded_plan
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

N, M = 60, 75


@pytest.mark.parametrize("tolerance", [0.05, 0.01])
def test_a_rounded_plan_is_as_near_the_optimum_as_asked(
    tolerance: float, random: np.random.Generator
) -> None:
    matrix = random.random((N, M)) + 0.5
    a, b = random_weights(random, N), random_weights(random, M)
    callback = ProgressCallback(lambda: None)
    with ThreadPool(callback) as threads:
        cost = PreparedCost.normalised(GivenCost(matrix), None, threads)
        problem = TransportProblem(cost, a, b, tolerance, 1, callback)
        scaled = np.ldexp(matrix, -cost.exponent)
        rows, columns = np.divmod(np.arange(N * M), M)
        output = rounded_plan(
            problem, PairList(rows, columns, scaled.ravel()), np.zeros(N), np.zeros(M), 0.05
        )
    assert output is not None
    assert output.plan.marginal_error(a, b) < 1e-14
    assert (output.f[:, None] + output.g <= scaled + 1e-12).all()
    true = ot.emd2(a, b, scaled)
    primal = scaled[output.plan.rows, output.plan.columns] @ output.plan.mass
    assert true * (1 - 1e-12) <= primal <= true * (1 + SHARE_OF_GAP * tolerance)


def test_a_list_that_carries_too_little_mass_is_left_to_the_simplex(
    random: np.random.Generator,
) -> None:
    matrix = random.random((N, N)) + 0.5
    uniform = np.full(N, 1 / N)
    callback = ProgressCallback(lambda: None)
    with ThreadPool(callback) as threads:
        cost = PreparedCost.normalised(GivenCost(matrix), None, threads)
        problem = TransportProblem(cost, uniform, uniform, 0.01, 1, callback)
        rows, columns = np.arange(N), np.zeros(N, np.intp)  # one column cannot take all mass
        listed = PairList(rows, columns, cost.at(rows, columns))
        assert rounded_plan(problem, listed, np.zeros(N), np.zeros(N), 0.05) is None


@pytest.mark.parametrize("equal", [True, False])
def test_an_interval_comes_from_sinkhorn_and_holds_the_true_cost(
    equal: bool, random: np.random.Generator
) -> None:
    n, m = (2100, 2100) if equal else (2000, 2300)
    mu, nu = gaussian(random, n, 10), gaussian(random, m, 10)
    a, b = (mu.weights, nu.weights) if equal else (random_weights(random, n), nu.weights)
    solution = solve(PointCost(mu, nu), a, b, tolerance=0.02, memory_budget_bytes=0)
    certificate = solution.certificate
    true = ot.emd2(a / a.sum(), b, cost_block(mu.points, nu.points), numItermax=10**7)
    assert certificate.solver == "sinkhorn"
    assert certificate.rounds == 1
    assert certificate.dual <= true * (1 + 1e-12)
    assert certificate.primal >= true * (1 - 1e-12)
    assert certificate.relative_gap <= 0.02
    plan = Plan(solution.rows, solution.columns, solution.mass)
    assert plan.marginal_error(a / a.sum(), b) < 1e-12
    feasible = solution.f[:, None] + solution.g - cost_block(mu.points, nu.points)
    assert feasible.max() <= 1e-12 * true
