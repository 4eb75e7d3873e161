"""Solve several transport problems over the same costs, sharing most of the work."""

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
from wassay.transport.solvers.entropic.dense_sinkhorn import scale_epsilon
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.solution import Solution, certified_solution
from wassay.transport.solvers.solve import (
    MAX_DENSE_PAIRS,
    normalise_weights,
    require_valid_options,
    solve,
)
from wassay.transport.solvers.sparse.column_generation import ColumnGeneration, generate_columns
from wassay.transport.solvers.sparse.near_pairs import NearPairs
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

MAX_ROUNDS_FROM_MEAN = 4
"""Limit on the rounds of column generation; a problem that needs more is solved from scratch."""


def solve_batch(
    cost: Cost | ArrayLike,
    weights: Sequence[tuple[ArrayLike, ArrayLike]],
    *,
    tolerance: float = 1e-9,
    max_iterations: int = 10**9,
    memory_budget_bytes: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> list[Solution]:
    """Solve and certify one transport problem for each pair of weights, over the same costs.

    If the weights are similar, a batch is faster than separate calls of `solve`.

    Parameters
    ----------
    cost : Cost or array_like, shape (n, m)
        Finite costs.
    weights : sequence of tuple of array_like, shapes (n,) and (m,)
        Row and column weights of each problem; zero for points that are left out.
    tolerance : float
        Largest relative gap of each solution; see `solve`.
    max_iterations : int
        Limit on the pivots of each run of the simplex.
    memory_budget_bytes : int, optional
        Limit on the memory for stored costs; see `solve`.
    progress : callable
        Called about four times a second; see `solve`.

    Returns
    -------
    list of Solution
        In the order of `weights`.

    Raises
    ------
    TransportError
        If costs, weights or options are invalid.
    NotCertified
        If a solution cannot be certified.
    """
    whole = as_cost(cost)
    solve_one = partial(
        solve,
        whole,
        tolerance=tolerance,
        max_iterations=max_iterations,
        memory_budget_bytes=memory_budget_bytes,
        progress=progress,
    )
    # Small problems and problems on a line are solved faster one by one.
    if len(weights) == 1 or math.prod(whole.shape) <= MAX_DENSE_PAIRS or whole.line() is not None:
        return [solve_one(*pair) for pair in weights]
    require_valid_options(tolerance, max_iterations, memory_budget_bytes)
    callback = ProgressCallback(progress)
    with ThreadPool(callback) as threads:
        problems, rows, columns = problems_over_one_cost(
            whole,
            weights,
            threads,
            callback,
            tolerance=tolerance,
            max_iterations=max_iterations,
            memory_budget_bytes=memory_budget_bytes,
        )
        results = _from_mean(problems)
    return [
        # Problems with weights too far from the mean are solved from scratch.
        certified_solution(problem, candidate, whole, rows, columns)
        if candidate.certifies(problem)
        else solve_one(*pair)
        for problem, candidate, pair in zip(problems, results, weights, strict=True)
    ]


def problems_over_one_cost(
    whole: Cost,
    weights: Sequence[tuple[ArrayLike, ArrayLike]],
    threads: ThreadPool,
    callback: ProgressCallback,
    *,
    tolerance: float,
    max_iterations: int = 1,
    memory_budget_bytes: int | None,
) -> tuple[list[TransportProblem], NDArray[np.intp], NDArray[np.intp]]:
    """Build transport problems that share one prepared cost.

    Parameters
    ----------
    whole : Cost
        The costs of all problems.
    weights : sequence of tuple
        The row weights and the column weights of each problem.
    threads : ThreadPool
    callback : ProgressCallback
        Reports progress.
    tolerance, max_iterations, memory_budget_bytes
        See `solve`.

    Returns
    -------
    problems : list of TransportProblem
    rows, columns : ndarray of int
        Indices of the points that have mass in at least one problem. The problems have only these.
    """
    a = np.array(
        [normalise_weights(row_weights, whole.shape[0], "row") for row_weights, _ in weights]
    )
    b = np.array([normalise_weights(others, whole.shape[1], "column") for _, others in weights])
    rows, columns = np.flatnonzero(a.any(axis=0)), np.flatnonzero(b.any(axis=0))
    support_cost = whole.only(rows, columns)
    cost = PreparedCost.normalised(support_cost, memory_budget_bytes, threads)
    cost.materialize()
    problems = [
        TransportProblem(cost, own_a[rows], own_b[columns], tolerance, max_iterations, callback)
        for own_a, own_b in zip(a, b, strict=True)
    ]
    return problems, rows, columns


def _from_mean(problems: Sequence[TransportProblem]) -> list[Candidate]:
    """Solve all problems, each starting from the solution for the mean weights."""
    mean = replace(
        problems[0],
        row_weights=np.mean([problem.row_weights for problem in problems], axis=0),
        column_weights=np.mean([problem.column_weights for problem in problems], axis=0),
    )
    entropic = scale_epsilon(mean)
    mean_run = ColumnGeneration.from_entropic(mean, entropic)
    feasibility = generate_columns([mean_run])[0].feasibility
    near = NearPairs.collect(mean.cost, feasibility.f, feasibility.g)
    begin = partial(near.column_generation, epsilon=float(entropic.epsilon))
    runs = list(mean.cost.threads.map(begin, problems))
    return generate_columns(runs, near.check, MAX_ROUNDS_FROM_MEAN)
