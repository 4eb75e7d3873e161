"""The certified solution of a transport problem."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.certificate import Certificate
from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.rounding import Extent, cost_rounding
from wassay.transport.errors import NotCertified, TransportError
from wassay.transport.solvers.advice import advice
from wassay.transport.solvers.certify.candidate import Candidate
from wassay.transport.solvers.transport_problem import TransportProblem


@dataclass(frozen=True, eq=False)
class Solution:
    """An optimal plan and optimal potentials, with a certificate of both.

    Attributes
    ----------
    rows, columns : ndarray of int, shape (l,)
        The pairs that carry mass.
    mass : ndarray, shape (l,)
        Mass of each pair; sums to one.
    f : ndarray, shape (n,)
        Feasible potentials of the rows, f_i + g_j <= C_ij, in units of the cost. That of a row
        without mass is the cost of placing mass there, up to the certificate's violation.
    g : ndarray, shape (m,)
        Feasible potentials of the columns, defined in the same way.
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
        """The cost Σ_ij C_ij P_ij of the plan P; W_p^p for costs C_ij = ‖x_i − y_j‖^p."""
        return self.certificate.primal

    def rounding(self, cost: Cost, extent: Extent, p: Power) -> float:
        """Return a bound of the rounding error of this solution's cost.

        Parameters
        ----------
        cost : Cost
            The costs that were solved.
        extent : Extent
            Extent of the columns' measure (the buyer's).
        p : {1, 2}
            The costs are ‖x_i − y_j‖^p.

        Returns
        -------
        float
            In units of the cost.
        """
        farthest = float(cost.at(self.rows, self.columns).max()) ** (1 / p)
        return cost_rounding(extent, max(self.cost, 0.0), farthest, p)

    def restrict_to_rows(self, present: NDArray[np.bool_]) -> Solution:
        """Return this solution without some rows, which carry no mass.

        Parameters
        ----------
        present : ndarray of bool, shape (n,)
            True for the rows to keep; every row with mass must be among them.

        Returns
        -------
        Solution
        """
        number = np.cumsum(present) - 1
        return replace(self, rows=number[self.rows], f=self.f[present])


def certified_solution(
    problem: TransportProblem,
    candidate: Candidate,
    whole: Cost,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> Solution:
    """Convert a candidate to a certified solution, in the caller's indices and units.

    Parameters
    ----------
    problem : TransportProblem
        The solved problem, over some of the caller's rows and columns.
    candidate : Candidate
    whole : Cost
        The caller's costs.
    rows, columns : ndarray of int
        The problem's points, as indices into the caller's points. All other points have no mass.

    Returns
    -------
    Solution

    Raises
    ------
    NotCertified
        If the gap exceeds the tolerance. The exception carries the certificate of a wider interval.
    TransportError
        If the costs of a point without mass are not finite.
    """
    certificate = _certificate(problem, candidate)
    if not candidate.certifies(problem):
        raise NotCertified(
            "transport cost not certified: expected a relative gap of at most "
            f"{problem.tolerance:g}, received {certificate.relative_gap:.3g}; the cost lies in "
            f"[{certificate.dual!r}, {certificate.primal!r}]. {advice(problem, candidate, rows)}",
            certificate,
        )
    f, g = (np.full(size, np.inf) for size in whole.shape)
    f[rows] = np.ldexp(candidate.feasibility.f, problem.cost.exponent)
    g[columns] = np.ldexp(candidate.feasibility.g, problem.cost.exponent)
    support = rows[problem.row_weights > 0], columns[problem.column_weights > 0]
    _fill_potentials(whole, *support, f, g)
    plan = candidate.plan
    return Solution(rows[plan.rows], columns[plan.columns], plan.mass, f, g, certificate)


def _fill_potentials(
    cost: Cost,
    rows_with_mass: NDArray[np.intp],
    columns_with_mass: NDArray[np.intp],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
) -> None:
    """Replace infinite potentials, in place, by the cost of placing mass at their points.

    Raise TransportError if such a cost is not finite.
    """
    empty_rows = np.flatnonzero(np.isinf(f))
    if len(empty_rows):
        known = np.full_like(g, -np.inf)
        known[columns_with_mass] = g[columns_with_mass]
        for row in map(int, empty_rows):
            f[row] = (cost.block(row, row + 1)[0] - known).min()
            _require_finite(f[row], "row", row)
    for column in map(int, np.flatnonzero(np.isinf(g))):
        entries = cost.at(rows_with_mass, np.full(len(rows_with_mass), column))
        g[column] = (entries - f[rows_with_mass]).min()
        _require_finite(g[column], "column", column)


def _require_finite(potential: float, side: str, index: int) -> None:
    if not math.isfinite(potential):
        raise TransportError(f"expected finite costs, received others in {side} {index}")


def _certificate(problem: TransportProblem, candidate: Candidate) -> Certificate:
    exponent = problem.cost.exponent
    return Certificate(
        primal=math.ldexp(candidate.primal, exponent),
        dual=math.ldexp(candidate.dual, exponent),
        violation=math.ldexp(candidate.feasibility.violation, exponent),
        marginal_error=candidate.plan.marginal_error(problem.row_weights, problem.column_weights),
        solver=candidate.solver.name,
        solver_version=candidate.solver.version,
        rounds=candidate.rounds,
    )
