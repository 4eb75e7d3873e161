"""The sparse simplex compared with other solvers, for any basis and any weights."""

from collections.abc import Callable

import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from tests.transport.samples import random_weights
from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.certify.solver_output import SolverOutput
from wassay.transport.solvers.plan import northwest_corner
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.sparse.pair_list import PairList, solve_pair_list
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

EMPTY_BASIS = np.empty(0, dtype=np.intp)


def problem_of(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    max_iterations: int = 10**6,
    progress: Callable[[], None] = lambda: None,
) -> TransportProblem:
    beat = ProgressCallback(progress)
    cost = PreparedCost.normalised(GivenCost(np.ones((len(a), len(b)))), None, ThreadPool(beat))
    return TransportProblem(cost, a, b, 1e-9, max_iterations, beat)


def random_pairs(
    rng: np.random.Generator,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    cost: NDArray[np.float64],
    share: float,
) -> PairList:
    """Draw random pairs, and add others so that a feasible plan exists."""
    chosen = rng.random(cost.shape) < share
    path = northwest_corner(a, b)
    chosen[path.rows, path.columns] = True
    rows, columns = np.nonzero(chosen)
    return PairList(rows, columns, cost[rows, columns])


def assert_optimal(
    pairs: PairList,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    output: SolverOutput,
    rounding: float = 1e-14,
) -> float:
    """Check marginals, dual feasibility and complementary slackness; return the plan's cost."""
    plan = output.plan
    assert output.finished
    assert (plan.mass > 0).all()
    assert plan.marginal_error(a, b) <= 1e-15
    slack = pairs.costs - output.f[pairs.rows] - output.g[pairs.columns]
    scale = max(np.abs(pairs.costs).max(), np.abs(output.f).max(), np.abs(output.g).max())
    assert slack.min() >= -rounding * scale
    indices = np.searchsorted(
        pairs.rows * len(b) + pairs.columns, plan.rows * len(b) + plan.columns
    )
    assert np.abs(slack[indices]).max() <= rounding * scale
    return float(pairs.costs[indices] @ plan.mass)


def by_linear_programming(pairs: PairList, a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    number = np.arange(len(pairs.costs))
    equations = np.zeros((len(a) + len(b), len(number)))
    equations[pairs.rows, number] = equations[len(a) + pairs.columns, number] = 1
    found = linprog(pairs.costs, A_eq=equations, b_eq=np.concatenate([a, b]), method="highs")
    return float(found.fun)


@given(
    shape=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    seed=st.integers(0, 2**32 - 1),
    share=st.sampled_from([0.0, 0.2, 0.6, 1.0]),
    kind=st.sampled_from(["ties", "zero", "plain", "rounded"]),
    uniform=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_the_optimum_of_any_pair_list_is_reached(
    shape: tuple[int, int], seed: int, share: float, kind: str, uniform: bool
) -> None:
    rng = np.random.default_rng(seed)
    n, m = shape
    a, b = (np.full(k, 1 / k) if uniform else random_weights(rng, k) for k in shape)
    cost = {
        "ties": rng.integers(-2, 3, shape).astype(float),
        "zero": np.zeros(shape),
        "plain": rng.normal(size=shape),
        "rounded": np.round(rng.random(shape), 1),
    }[kind]
    pairs = random_pairs(rng, a, b, cost, share)
    output, basis = solve_pair_list(problem_of(a, b), pairs, EMPTY_BASIS)
    cost_of_plan = assert_optimal(pairs, a, b, output)
    assert cost_of_plan == pytest.approx(by_linear_programming(pairs, a, b), rel=1e-9, abs=1e-12)
    # Any pairs may form the initial basis, even if they close cycles.
    anywhere = rng.permutation(len(pairs.costs))[: rng.integers(0, 2 * (n + m))]
    for start in (basis, anywhere):
        again, _ = solve_pair_list(problem_of(a, b), pairs, start)
        assert assert_optimal(pairs, a, b, again) == pytest.approx(
            cost_of_plan, rel=1e-12, abs=1e-14
        )


@pytest.mark.parametrize("spread", [12, 30])
def test_weights_may_differ_by_many_orders_of_magnitude(spread: int) -> None:
    rng = np.random.default_rng(spread)
    a, b = 10.0 ** rng.uniform(-spread, 0, 150), 10.0 ** rng.uniform(-spread, 0, 210)
    a, b = a / a.sum(), b / b.sum()
    cost = rng.random((150, 210))
    pairs = random_pairs(rng, a, b, cost, 1.0)
    output, _ = solve_pair_list(problem_of(a, b), pairs, EMPTY_BASIS)
    expected = ot.emd2(a, b, cost, numItermax=10**7)
    assert assert_optimal(pairs, a, b, output) == pytest.approx(expected, rel=1e-9)
    assert set(output.plan.rows) == set(range(150))
    assert set(output.plan.columns) == set(range(210))


@pytest.mark.parametrize("shape", [(400, 400), (300, 450), (360, 480)])
def test_components_that_balance_do_so_exactly(shape: tuple[int, int]) -> None:
    """Mass flows in multiples of a common unit, so components of the plan stay separate."""
    rng = np.random.default_rng(shape[1])
    a, b = (np.full(k, 1 / k) for k in shape)
    pairs = random_pairs(rng, a, b, rng.random(shape), 1.0)
    output, _ = solve_pair_list(problem_of(a, b), pairs, EMPTY_BASIS)
    assert_optimal(pairs, a, b, output)
    units = output.plan.mass * np.lcm(*shape)
    np.testing.assert_allclose(units, np.round(units), atol=1e-12)


def test_the_basis_of_a_neighbouring_problem_saves_most_pivots() -> None:
    rng = np.random.default_rng(3)
    cost = rng.random((200, 260))
    a, b = random_weights(rng, 200), random_weights(rng, 260)
    pairs = random_pairs(rng, a, b, cost, 1.0)
    _, basis = solve_pair_list(problem_of(a, b), pairs, EMPTY_BASIS)
    near = a * rng.uniform(0.99, 1.01, 200)
    near /= near.sum()
    few = problem_of(near, b, max_iterations=100)
    assert solve_pair_list(few, pairs, basis)[0].finished
    assert not solve_pair_list(few, pairs, EMPTY_BASIS)[0].finished


@pytest.mark.parametrize("shape", [(4, 4096), (4096, 4)])
def test_points_start_at_their_nearest_neighbour(
    random: np.random.Generator, shape: tuple[int, int]
) -> None:
    """Otherwise each of these points would need a pivot, more than the limit allows."""
    cost = random.random(shape)
    a, b = (np.full(k, 1 / k) for k in shape)
    pairs = random_pairs(random, a, b, cost, 1.0)
    limited = problem_of(a, b, max_iterations=2000)
    output, _ = solve_pair_list(limited, pairs, EMPTY_BASIS)
    expected = ot.emd2(a, b, cost, numItermax=10**7)
    assert assert_optimal(pairs, a, b, output) == pytest.approx(expected, rel=1e-9)


def test_components_without_a_common_pair_have_potentials_of_the_costs_magnitude() -> None:
    rng = np.random.default_rng(5)
    cost = rng.random((40, 40))
    rows, columns = np.nonzero(np.arange(40)[:, None] // 10 == np.arange(40) // 10)
    pairs = PairList(rows, columns, cost[rows, columns])
    uniform = np.full(40, 1 / 40)
    output, _ = solve_pair_list(problem_of(uniform, uniform), pairs, EMPTY_BASIS)
    assert_optimal(pairs, uniform, uniform, output)
    assert max(np.abs(output.f).max(), np.abs(output.g).max()) < 80


def test_the_simplex_can_be_stopped_between_pivots() -> None:
    rng = np.random.default_rng(7)
    n = 700
    cost = rng.random((n, n + 100))
    beats: list[None] = []

    class StopError(Exception):
        pass

    def beat() -> None:
        beats.append(None)
        raise StopError

    a, b = random_weights(rng, n), random_weights(rng, n + 100)
    pairs = random_pairs(rng, a, b, cost, 1.0)
    problem = problem_of(a, b, progress=beat)
    problem.progress._due = 0.0
    with pytest.raises(StopError):
        solve_pair_list(problem, pairs, EMPTY_BASIS)
    assert len(beats) == 1
