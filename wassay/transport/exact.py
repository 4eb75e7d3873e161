"""Exact optimal transport that proves itself."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.assignment import solve_assignment
from wassay.transport.certificate import Certificate, Distance
from wassay.transport.cost import Cost, PointCost, Power, as_cost
from wassay.transport.errors import NotCertified, TransportError
from wassay.transport.measure import Measure, as_weights
from wassay.transport.plan import RawSolution
from wassay.transport.simplex import solve_dense

ROUNDING = 16 * np.finfo(np.float64).eps
"""Gap that float64 cannot resolve, as a share of the largest cost."""

LARGEST_MARGINAL_ERROR = 1e-12
"""Mass that a plan may misplace at one point through rounding."""


@dataclass(frozen=True, eq=False)
class Solution:
    """An optimal plan, optimal potentials, and the proof that they are optimal.

    Attributes
    ----------
    rows, columns : ndarray of int, shape (l,)
        The pairs that carry mass.
    mass : ndarray, shape (l,)
        How much each of them carries; sums to one.
    f : ndarray, shape (n,)
        Potentials of the rows, feasible: f_i + g_j <= C_ij. For a row without mass
        f_i = min_j (C_ij − g_j) over the columns with mass: the price of mass placed there.
    g : ndarray, shape (m,)
        Potentials of the columns, likewise.
    certificate : Certificate
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    mass: NDArray[np.float64]
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    certificate: Certificate

    @property
    def cost(self) -> float:
        """W_p^p: the plan's cost."""
        return self.certificate.primal


def solve(
    cost: Cost | ArrayLike,
    row_weights: ArrayLike,
    column_weights: ArrayLike,
    *,
    tolerance: float = 1e-9,
    max_iterations: int = 10**9,
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
        Pivots that the simplex may take.

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
    whole = as_cost(cost)
    matrix = _finite(whole.block(0, whole.shape[0]))
    a = _normalised(row_weights, matrix.shape[0], "row")
    b = _normalised(column_weights, matrix.shape[1], "column")
    exponent = _exponent(matrix)
    matrix = np.ldexp(matrix, -exponent)

    rows, columns = np.flatnonzero(a), np.flatnonzero(b)
    kept = matrix if a.all() and b.all() else matrix[np.ix_(rows, columns)]
    raw = _chosen_solver(kept, a[rows], b[columns], max_iterations)
    solution = _certified(kept, a[rows], b[columns], raw)
    _require_proof(solution.certificate, tolerance, exponent)
    return _rescaled(_with_massless(solution, matrix, rows, columns), exponent)


def wasserstein(mu: Measure, nu: Measure, p: Power = 2) -> Distance:
    """The exact p-Wasserstein distance of two measures, with its certificate.

    Raises
    ------
    TransportError
        When the measures do not live in one space.
    NotCertified
        When the proof fails.
    """
    certificate = solve(PointCost(mu, nu, p), mu.weights, nu.weights).certificate
    return Distance(max(certificate.primal, 0.0) ** (1 / p), certificate)


def _chosen_solver(
    cost: NDArray[np.float64],
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    max_iterations: int,
) -> RawSolution:
    if len(row_weights) == len(column_weights) and _uniform(row_weights, column_weights):
        return solve_assignment(cost)
    return solve_dense(cost, row_weights, column_weights, max_iterations)


def _uniform(*weights: NDArray[np.float64]) -> bool:
    return all(np.ptp(w) <= 4 * np.finfo(np.float64).eps * w.max() for w in weights)


def _certified(
    cost: NDArray[np.float64],
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    raw: RawSolution,
) -> Solution:
    """Make the potentials feasible by c-transforms and measure everything anew."""
    reduced = cost - raw.f[:, None]
    g = reduced.min(axis=0)
    violation = float((raw.g - g).max())
    f = (cost - g).min(axis=1)
    plan = raw.plan
    marginal_error = plan.marginal_error(row_weights, column_weights)
    if marginal_error > LARGEST_MARGINAL_ERROR:
        plan = plan.rounded(row_weights, column_weights)
        marginal_error = plan.marginal_error(row_weights, column_weights)
    certificate = Certificate(
        primal=float(cost[plan.rows, plan.columns] @ plan.mass),
        # Constant potentials are feasible too: the cheapest pair bounds every plan from below.
        dual=max(float(row_weights @ f + column_weights @ g), float(cost.min())),
        violation=violation,
        marginal_error=marginal_error,
        solver=raw.solver,
        solver_version=raw.solver_version,
        rounds=raw.rounds,
    )
    return Solution(plan.rows, plan.columns, plan.mass, f, g, certificate)


def _require_proof(certificate: Certificate, tolerance: float, exponent: int) -> None:
    allowed = tolerance * abs(certificate.primal) + ROUNDING
    if certificate.gap <= allowed and certificate.marginal_error <= LARGEST_MARGINAL_ERROR:
        return
    reached = _rescaled_certificate(certificate, exponent)
    raise NotCertified(
        f"transport cost not proven: wanted a relative gap of {tolerance:g} and marginals within "
        f"{LARGEST_MARGINAL_ERROR:g}, reached {reached.relative_gap:.3g} and "
        f"{reached.marginal_error:.3g}; the cost lies in [{reached.dual!r}, {reached.primal!r}]. "
        "Allow more iterations or a larger tolerance",
        reached,
    )


def _with_massless(
    solution: Solution,
    cost: NDArray[np.float64],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> Solution:
    n, m = cost.shape
    if len(rows) == n and len(columns) == m:
        return solution
    f = (cost[:, columns] - solution.g).min(axis=1)
    g = (cost[rows] - solution.f[:, None]).min(axis=0)
    f[rows], g[columns] = solution.f, solution.g
    return replace(solution, rows=rows[solution.rows], columns=columns[solution.columns], f=f, g=g)


def _rescaled(solution: Solution, exponent: int) -> Solution:
    return replace(
        solution,
        f=np.ldexp(solution.f, exponent),
        g=np.ldexp(solution.g, exponent),
        certificate=_rescaled_certificate(solution.certificate, exponent),
    )


def _rescaled_certificate(certificate: Certificate, exponent: int) -> Certificate:
    return replace(
        certificate,
        primal=math.ldexp(certificate.primal, exponent),
        dual=math.ldexp(certificate.dual, exponent),
        violation=math.ldexp(certificate.violation, exponent),
    )


def _exponent(matrix: NDArray[np.float64]) -> int:
    """Power of two that brings the costs to order one; scaling by it loses no digit."""
    largest = float(np.abs(matrix).max())
    return math.frexp(largest)[1]


def _finite(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    bad = ~np.isfinite(matrix)
    if bad.any():
        row, column = (int(i) for i in np.unravel_index(np.argmax(bad), matrix.shape))
        raise TransportError(
            f"costs must be finite, got {matrix[row, column]} in row {row}, column {column}"
        )
    return matrix


def _normalised(weights: ArrayLike, size: int, side: str) -> NDArray[np.float64]:
    try:
        checked = as_weights(weights, size)
    except TransportError as error:
        raise TransportError(f"{side} {error}") from error
    normalised: NDArray[np.float64] = checked / checked.sum()
    return normalised
