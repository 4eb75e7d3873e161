"""Exact optimal transport that certifies itself."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.certificate import Distance
from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.given_cost import as_cost
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.costs.rounding import Extent
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure, as_weights
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.certify.candidate import Candidate, candidate
from wassay.transport.solvers.dense.line import line_coordinates, solve_on_line
from wassay.transport.solvers.dense.nearest_neighbour import solve_nearest_neighbour
from wassay.transport.solvers.dense.simplex import solve_dense
from wassay.transport.solvers.entropic.epsilon_scaling import likely_pairs, scale_epsilon
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared import PreparedCost
from wassay.transport.solvers.solution import Solution, certified_solution
from wassay.transport.solvers.sparse.column_generation import (
    DROP_SHARE,
    ColumnGeneration,
    generate_columns,
)
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

MAX_DENSE_PAIRS = 250_000
"""Up to this many pairs the simplex over all of them is as fast as making a list."""


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
    """Find an optimal transport plan and prove it.

    Parameters
    ----------
    cost : Cost or array_like, shape (n, m)
        Finite costs.
    row_weights, column_weights : array_like, shapes (n,) and (m,)
        Non-negative, each summing to one.
    tolerance : float
        Largest relative gap between the plan's cost and the feasible potentials' value.
    max_iterations : int
        Pivots that the simplex may take at a time.
    memory_budget_bytes : int, optional
        Up to which costs are held in memory (12 bytes a pair); a quarter of the machine's memory
        by default. Larger costs are read, or computed from points, in blocks of rows.
    progress : callable
        Called about four times a second; what it raises ends the solve.

    Returns
    -------
    Solution

    Raises
    ------
    TransportError
        When costs or weights are not what they have to be.
    NotCertified
        When the tolerance was not reached; carries the interval that was.
    """
    require_valid_options(tolerance, max_iterations, memory_budget_bytes)
    whole = as_cost(cost)
    a = normalise_weights(row_weights, whole.shape[0], "row")
    b = normalise_weights(column_weights, whole.shape[1], "column")
    rows, columns = np.flatnonzero(a), np.flatnonzero(b)
    callback = ProgressCallback(progress)
    with ThreadPool(callback) as threads:
        massive = whole.only(rows, columns)
        prepared = PreparedCost.normalised(massive, memory_budget_bytes, threads)
        problem = TransportProblem(
            prepared, a[rows], b[columns], tolerance, max_iterations, callback
        )
        result = _solve(problem)
    return certified_solution(problem, result, whole, rows, columns)


def wasserstein(mu: Measure, nu: Measure, p: Power = 2) -> Distance:
    """The exact p-Wasserstein distance of two measures, with its certificate.

    Raises
    ------
    TransportError
        When the measures do not live in one space.
    NotCertified
        When the proof fails.
    """
    cost = PointCost(mu, nu, p)
    solution = solve(cost, mu.weights, nu.weights)
    return Distance.from_certificate(
        solution.certificate, p, solution.rounding(cost, Extent.of(nu), p)
    )


def _solve(problem: TransportProblem) -> Candidate:
    """Choose the solver: for a line, for few pairs, for copies, for all others."""
    n, m = problem.cost.shape
    line = line_coordinates(problem.cost)
    if line is not None:
        result = solve_on_line(problem, *line)
        if result.certifies(problem):
            return result
    if n * m > MAX_DENSE_PAIRS:
        matched = solve_nearest_neighbour(problem)
        if matched is not None and matched.certifies(problem):
            return matched
        problem.cost.materialize()
        entropic = scale_epsilon(problem)
        return generate_columns(
            [ColumnGeneration.from_entropic(problem, likely_pairs(problem, entropic), entropic)]
        )[0]
    vertex = solve_dense(problem)
    result = candidate(problem, vertex, level=DROP_SHARE)
    if result.certifies(problem) or not vertex.finished:
        return result
    # Costs of very different size: the simplex's tolerance is a share of the largest, in whose
    # rounding its potentials are lost too.
    near = result.feasibility
    likely = result.plan.joined(Plan(near.rows, near.columns, np.zeros(len(near.rows))))
    cost = problem.cost.matrix()
    f = cost.min(axis=1)
    g = (cost - f[:, None]).min(axis=0)
    return generate_columns([ColumnGeneration(problem, likely, f, g)])[0]


def require_valid_options(
    tolerance: float, max_iterations: int, memory_budget_bytes: int | None
) -> None:
    """Refuse options that make no sense."""
    if not 0 <= tolerance < math.inf or max_iterations < 1 or (memory_budget_bytes or 0) < 0:
        raise TransportError(
            "a solve needs a tolerance from zero up, at least one iteration and no negative "
            f"budget, got {tolerance}, {max_iterations} and {memory_budget_bytes}"
        )


def normalise_weights(weights: ArrayLike, size: int, side: str) -> NDArray[np.float64]:
    """Weights that sum to one, as well as float64 can tell."""
    try:
        checked = as_weights(weights, size)
    except TransportError as error:
        raise TransportError(f"{side} {error}") from error
    shares: NDArray[np.float64] = checked / checked.sum()
    return shares
