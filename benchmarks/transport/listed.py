"""Our simplex over listed pairs beside POT's sparse one, on the lists that a solve goes through."""

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
from wassay.transport.solvers.certify.vertex import Vertex
from wassay.transport.solvers.sparse import column_generation
from wassay.transport.solvers.sparse.simplex import PairList, solve_pair_list
from wassay.transport.solvers.transport_problem import TransportProblem

Result = TypeVar("Result")

CLUSTERS = 20
SPREAD = 0.1
"""Of a cluster's points around its middle, where the middles are spread by 1."""


def listed_pairs() -> None:
    """Processor seconds of every round, ours from nothing and from the last basis, and POT's."""
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
        problem: TransportProblem, listed: PairList, basis: NDArray[np.intp]
    ) -> tuple[Vertex, NDArray[np.intp]]:
        nonlocal rounds
        rounds += 1
        nothing = np.empty(0, dtype=np.intp)
        cold, _ = _timed(lambda: solve_pair_list(problem, listed, nothing))
        warm, ours = _timed(lambda: solve_pair_list(problem, listed, basis))
        pot, (theirs, optimal) = _timed(lambda: _pot(problem, listed))
        plan = ours[0].plan
        cost = float(problem.cost.at(plan.rows, plan.columns) @ plan.mass)
        differing = abs(theirs - _value(listed, ours[0], problem)) / cost
        print(
            f"  round {rounds}, {len(listed.costs)} pairs: ours {cold:.2f} s from nothing, "
            f"{warm:.2f} s from {len(basis)} known; POT {pot:.2f} s = {pot / warm:.1f} times; "
            f"costs differ by {differing:.0e} of themselves{'' if optimal else ', not optimal'}"
        )
        return ours

    with mock.patch.object(column_generation, "solve_pair_list", raced):
        solve(PointCost(Measure(x), Measure(y)), *map(_uniform, (len(x), len(y))))


def _uniform(size: int) -> NDArray[np.float64]:
    return np.full(size, 1 / size)


def _pot(problem: TransportProblem, listed: PairList) -> tuple[float, bool]:
    """Return the cost that POT finds, and whether it says that this is the optimum."""
    shape = len(problem.row_weights), len(problem.column_weights)
    costs = coo_array((listed.costs, (listed.rows, listed.columns)), shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value, log = ot.emd2(
            problem.row_weights, problem.column_weights, costs, problem.max_iterations, log=True
        )
    return float(value), log["warning"] is None


def _value(listed: PairList, vertex: Vertex, problem: TransportProblem) -> float:
    m = len(problem.column_weights)
    places = np.searchsorted(
        listed.rows * m + listed.columns, vertex.plan.rows * m + vertex.plan.columns
    )
    return float(listed.costs[places] @ vertex.plan.mass)


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result
