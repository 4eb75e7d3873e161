"""Several problems over the same costs, which share most of the work."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost
from wassay.transport.costs.given_cost import as_cost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.certify.candidate import Candidate
from wassay.transport.solvers.entropic.annealing import anneal, likely_pairs
from wassay.transport.solvers.exact import FEW_PAIRS, normalised, require_sense, solve
from wassay.transport.solvers.prepared import PreparedCost
from wassay.transport.solvers.problem import Problem
from wassay.transport.solvers.solution import Solution, proven_solution
from wassay.transport.solvers.sparse.column_generation import Search, solve_restricted
from wassay.transport.solvers.sparse.near_pairs import NearPairs
from wassay.transport.thread_pool import ThreadPool

MOST_ROUNDS_FROM_THE_MEAN = 4
"""Problems that need more are solved by themselves."""


def solve_batch(
    cost: Cost | ArrayLike,
    weights: Sequence[tuple[ArrayLike, ArrayLike]],
    *,
    tolerance: float = 1e-9,
    max_iterations: int = 10**9,
    memory_budget_bytes: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> list[Solution]:
    """Find and prove an optimal plan for every pair of weights over the same costs.

    The problem with the mean of the weights is solved first; each one's own begins with the pairs
    that are cheap there, which mostly suffice to prove it too. That pays where the weights are
    alike, as when each of many sellers is left out once; problems that are small anyway are solved
    one by one.

    Parameters
    ----------
    cost : Cost or array_like, shape (n, m)
    weights : sequence of tuple of array_like, shapes (n,) and (m,)
        Of the rows and the columns; zero for points that are left out.
    tolerance, max_iterations, memory_budget_bytes, progress
        See `solve`.

    Raises
    ------
    TransportError
        When costs or weights are not what they have to be.
    NotCertified
        When one could not be proven.
    """
    whole = as_cost(cost)
    alone = partial(
        solve,
        whole,
        tolerance=tolerance,
        max_iterations=max_iterations,
        memory_budget_bytes=memory_budget_bytes,
        progress=progress,
    )
    if len(weights) == 1 or math.prod(whole.shape) <= FEW_PAIRS or whole.line() is not None:
        return [alone(*pair) for pair in weights]
    require_sense(tolerance, max_iterations, memory_budget_bytes)
    beat = ProgressCallback(progress)
    with ThreadPool(beat) as threads:
        problems, rows, columns = over_one_cost(
            whole,
            weights,
            threads,
            beat,
            tolerance=tolerance,
            max_iterations=max_iterations,
            memory_budget_bytes=memory_budget_bytes,
        )
        found = _from_the_mean(problems)
    return [
        # What is too far from the mean is no neighbour's problem.
        proven_solution(problem, one, whole, rows, columns) if one.proves(problem) else alone(*pair)
        for problem, one, pair in zip(problems, found, weights, strict=True)
    ]


def over_one_cost(
    whole: Cost,
    weights: Sequence[tuple[ArrayLike, ArrayLike]],
    threads: ThreadPool,
    beat: ProgressCallback,
    *,
    tolerance: float,
    max_iterations: int = 1,
    memory_budget_bytes: int | None,
) -> tuple[list[Problem], NDArray[np.intp], NDArray[np.intp]]:
    """Problems over the same costs, and which rows and columns have mass in any of them."""
    a = np.array([normalised(row_weights, whole.shape[0], "row") for row_weights, _ in weights])
    b = np.array([normalised(others, whole.shape[1], "column") for _, others in weights])
    rows, columns = np.flatnonzero(a.any(axis=0)), np.flatnonzero(b.any(axis=0))
    massive = whole.only(rows, columns)
    cost = PreparedCost.of_order_one(massive, memory_budget_bytes, threads)
    cost.hold()
    problems = [
        Problem(cost, own_a[rows], own_b[columns], tolerance, max_iterations, beat)
        for own_a, own_b in zip(a, b, strict=True)
    ]
    return problems, rows, columns


def _from_the_mean(problems: Sequence[Problem]) -> list[Candidate]:
    """Solve the problem with the mean of the weights, and each one from there."""
    mean = replace(
        problems[0],
        row_weights=np.mean([problem.row_weights for problem in problems], axis=0),
        column_weights=np.mean([problem.column_weights for problem in problems], axis=0),
    )
    entropic = anneal(mean)
    search = Search.among(mean, likely_pairs(mean, entropic), entropic)
    inspection = solve_restricted([search])[0].inspection
    near = NearPairs.listed(mean.cost, inspection.f, inspection.g)
    begun = partial(near.search, epsilon=float(entropic.epsilon))
    searches = list(mean.cost.threads.map(begun, problems))
    return solve_restricted(searches, near.inspect, MOST_ROUNDS_FROM_THE_MEAN)
