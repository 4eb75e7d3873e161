"""Solve a transport problem exactly: choose a solver, and certify what it returns."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost
from wassay.transport.costs.given_cost import as_cost
from wassay.transport.errors import TransportError
from wassay.transport.measure import as_weights
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.certify.candidate import Candidate, candidate
from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.clusters.clustered_given_cost import ClusteredGivenCost
from wassay.transport.solvers.clusters.clustered_points import ClusteredPoints
from wassay.transport.solvers.dense.constant import solve_constant
from wassay.transport.solvers.dense.few_points import solve_few_points
from wassay.transport.solvers.dense.line import solve_line
from wassay.transport.solvers.dense.nearest_neighbour import solve_nearest_neighbour
from wassay.transport.solvers.dense.simplex import solve_dense
from wassay.transport.solvers.dense.single_point import solve_single_point
from wassay.transport.solvers.entropic.dense_sinkhorn import scale_epsilon
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.solution import Solution, certified_solution
from wassay.transport.solvers.sparse.column_generation import (
    DROP_SHARE,
    ColumnGeneration,
    generate_columns,
)
from wassay.transport.solvers.sparse.two_costs import solve_two_costs
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

MAX_DENSE_PAIRS = 250_000
"""Up to this many pairs, the dense simplex is as fast as building a pair list."""

CLOSED_FORMS = (solve_constant, solve_single_point, solve_line)
FOR_MANY_PAIRS = (solve_few_points, solve_two_costs, solve_nearest_neighbour)


def solve(
    cost: Cost | ArrayLike,
    row_weights: ArrayLike,
    column_weights: ArrayLike,
    *,
    tolerance: float = 1e-9,
    max_iterations: int = 10**9,
    memory_budget_bytes: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Solution:
    r"""Solve the optimal transport problem exactly and certify the solution.

    .. math::
        \min_P \sum_{ij} C_{ij} P_{ij} \quad \text{s.t.} \quad
        P 1 = a, \quad P^T 1 = b, \quad P \geq 0

    Parameters
    ----------
    cost : Cost or array_like, shape (n, m)
        Finite costs C.
    row_weights : array_like, shape (n,)
        Weights a, non-negative and summing to one.
    column_weights : array_like, shape (m,)
        Weights b, non-negative and summing to one.
    tolerance : float
        Largest relative gap between the two bounds of the optimal cost.
    max_iterations : int
        Limit on the pivots of each run of the simplex.
    memory_budget_bytes : int, optional
        Limit on the memory for stored costs, at 4 bytes per pair; by default a quarter of the
        memory that this process may use. Costs that need more are not stored, which takes longer.
    progress : callable
        Called without arguments about four times a second. An exception that it raises ends the
        solve.

    Returns
    -------
    Solution
        Plan, potentials and certificate, in units of the cost.

    Raises
    ------
    TransportError
        If costs, weights or options are invalid.
    NotCertified
        If the tolerance is not reached. The exception carries the certificate of a wider interval.

    Notes
    -----
    The plan gives an upper bound on the optimal cost. Potentials with f_i + g_j <= C_ij give the
    lower bound Σ_i a_i f_i + Σ_j b_j g_j.
    """
    require_valid_options(tolerance, max_iterations, memory_budget_bytes)
    whole = as_cost(cost)
    a = normalise_weights(row_weights, whole.shape[0], "row")
    b = normalise_weights(column_weights, whole.shape[1], "column")
    rows, columns = np.flatnonzero(a), np.flatnonzero(b)
    callback = ProgressCallback(progress)
    with ThreadPool(callback) as threads:
        prepared: PreparedCost
        if len(rows) * len(columns) > MAX_DENSE_PAIRS and (
            ordered := ClusteredPoints.ordered(whole, rows, columns)
        ):
            points, rows, columns = ordered
            prepared = ClusteredCost.normalised(points, memory_budget_bytes, threads)
        else:
            support_cost = whole.only(rows, columns)
            prepared = PreparedCost.normalised(support_cost, memory_budget_bytes, threads)
            if by_cluster := ClusteredGivenCost.ordered(support_cost, prepared, rows, columns):
                prepared, rows, columns = by_cluster
        problem = TransportProblem(
            prepared, a[rows], b[columns], tolerance, max_iterations, callback
        )
        result = _solve(problem)
    return certified_solution(problem, result, whole, rows, columns)


def _solve(problem: TransportProblem) -> Candidate:
    """Try solvers in turn, and return the first certified result, or else the last."""
    n, m = problem.cost.shape
    many_pairs = n * m > MAX_DENSE_PAIRS
    for solver in CLOSED_FORMS + (FOR_MANY_PAIRS if many_pairs else ()):
        found = solver(problem)
        if found is not None and found.certifies(problem):
            return found
    if many_pairs:
        problem.cost.materialize()
        entropic = scale_epsilon(problem)
        return generate_columns([ColumnGeneration.from_entropic(problem, entropic)])[0]
    output = solve_dense(problem)
    result = candidate(problem, output, level=DROP_SHARE)
    if result.certifies(problem) or not output.finished:
        return result
    # The tolerance of the dense simplex is relative to the largest cost, and so are the rounding
    # errors of its potentials. If costs differ much in size, refine by column generation.
    near = result.feasibility
    likely = result.plan.joined(Plan(near.rows, near.columns, np.zeros(len(near.rows))))
    cost = problem.cost.matrix()
    f = cost.min(axis=1)
    g = (cost - f[:, None]).min(axis=0)
    return generate_columns([ColumnGeneration(problem, likely, f, g)])[0]


def require_valid_options(
    tolerance: float, max_iterations: int, memory_budget_bytes: int | None
) -> None:
    """Raise TransportError if an option is out of its range."""
    if not 0 <= tolerance < math.inf or max_iterations < 1 or (memory_budget_bytes or 0) < 0:
        raise TransportError(
            "expected tolerance >= 0, max_iterations >= 1 and memory_budget_bytes >= 0, received "
            f"{tolerance}, {max_iterations} and {memory_budget_bytes}"
        )


def normalise_weights(weights: ArrayLike, size: int, side: str) -> NDArray[np.float64]:
    """Validate weights, and divide them by their sum, which may differ from one by rounding.

    Error messages begin with `side`, such as ``"row"``.
    """
    try:
        checked = as_weights(weights, size)
    except TransportError as error:
        raise TransportError(f"{side} weights: {error}") from error
    shares: NDArray[np.float64] = checked / checked.sum()
    return shares
