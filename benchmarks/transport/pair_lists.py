"""Compare our sparse simplex with POT's on the pair lists of real solves."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import TypeVar
from unittest import mock

import numpy as np
import ot
from numpy.typing import NDArray
from scipy.sparse import coo_array

from benchmarks.transport.works import Points, gaussian
from wassay.transport import Measure, PointCost, solve
from wassay.transport.solvers.certify.solver_output import SolverOutput
from wassay.transport.solvers.sparse import column_generation
from wassay.transport.solvers.sparse.pair_list import PairList, solve_pair_list
from wassay.transport.solvers.transport_problem import TransportProblem

Result = TypeVar("Result")

CLUSTERS = 20
SPREAD = 0.1
"""The standard deviation of the points in a cluster; that of the centres is 1."""


def race_pair_lists() -> None:
    """Print each round's processor seconds: of our simplex without and with a basis, and of POT."""
    for n, m in ((4000, 4000), (4000, 5200), (10_000, 13_000)):
        for name, points in (("Gaussian", gaussian), ("clustered", clustered)):
            print(f"{n} × {m}, d = 10, {name}")
            _race(points(n, 10, 0), points(m, 10, 1))


def clustered(size: int, dimension: int, seed: int) -> Points:
    random = np.random.default_rng(seed)
    middles = np.random.default_rng(7).normal(size=(CLUSTERS, dimension))
    return middles[random.integers(CLUSTERS, size=size)] + SPREAD * random.normal(
        size=(size, dimension)
    )


def _race(x: Points, y: Points) -> None:
    rounds = 0

    def raced(
        problem: TransportProblem, pairs: PairList, basis: NDArray[np.intp]
    ) -> tuple[SolverOutput, NDArray[np.intp]]:
        nonlocal rounds
        rounds += 1
        no_basis = np.empty(0, dtype=np.intp)
        cold, _ = _timed(lambda: solve_pair_list(problem, pairs, no_basis))
        warm, ours = _timed(lambda: solve_pair_list(problem, pairs, basis))
        pot, (pot_cost, optimal) = _timed(lambda: _pot(problem, pairs))
        plan = ours[0].plan
        cost = float(problem.cost.at(plan.rows, plan.columns) @ plan.mass)
        difference = abs(pot_cost - _value(pairs, ours[0], problem)) / cost
        print(
            f"  round {rounds}, {len(pairs.costs)} pairs: ours {cold:.2f} s without a basis, "
            f"{warm:.2f} s from a basis of {len(basis)}; POT {pot:.2f} s = {pot / warm:.1f} times; "
            f"relative difference of costs {difference:.0e}{'' if optimal else ', not optimal'}"
        )
        return ours

    with mock.patch.object(column_generation, "solve_pair_list", raced):
        solve(PointCost(Measure(x), Measure(y)), *map(_uniform, (len(x), len(y))))


def _uniform(size: int) -> NDArray[np.float64]:
    return np.full(size, 1 / size)


def _pot(problem: TransportProblem, pairs: PairList) -> tuple[float, bool]:
    """Return the cost of POT's plan, and whether POT reports it as optimal."""
    shape = len(problem.row_weights), len(problem.column_weights)
    costs = coo_array((pairs.costs, (pairs.rows, pairs.columns)), shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value, log = ot.emd2(
            problem.row_weights, problem.column_weights, costs, problem.max_iterations, log=True
        )
    return float(value), log["warning"] is None


def _value(pairs: PairList, output: SolverOutput, problem: TransportProblem) -> float:
    m = len(problem.column_weights)
    indices = np.searchsorted(
        pairs.rows * m + pairs.columns, output.plan.rows * m + output.plan.columns
    )
    return float(pairs.costs[indices] @ output.plan.mass)


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result
