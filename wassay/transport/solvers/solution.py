"""What came of a transport problem: a plan, potentials, and the proof of both."""

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
    """An optimal plan, optimal potentials, and the proof that they are optimal.

    Attributes
    ----------
    rows, columns : ndarray of int, shape (l,)
        The pairs that carry mass.
    mass : ndarray, shape (l,)
        How much each of them carries; sums to one.
    f : ndarray, shape (n,)
        Potentials of the rows, feasible: f_i + g_j <= C_ij. For a row without mass f_i is
        min_j (C_ij − g_j) over the columns with mass, the price of mass placed there, or less by
        no more than the certificate's violation.
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

    def rounding(self, cost: Cost, extent: Extent, p: Power) -> float:
        """How far float64 may have moved the cost (see `cost_rounding`).

        Parameters
        ----------
        cost : Cost
            That was solved.
        extent : Extent
            Of the buyer's measure, or of the columns'.
        p : {1, 2}
        """
        farthest = float(cost.at(self.rows, self.columns).max()) ** (1 / p)
        return cost_rounding(extent, max(self.cost, 0.0), farthest, p)

    def restrict_to_rows(self, present: NDArray[np.bool_]) -> Solution:
        """The same without rows that have no mass."""
        number = np.cumsum(present) - 1
        return replace(self, rows=number[self.rows], f=self.f[present])


def certified_solution(
    problem: TransportProblem,
    candidate: Candidate,
    whole: Cost,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> Solution:
    """Put a candidate in the caller's terms.

    Parameters
    ----------
    problem : TransportProblem
        Over some of the rows and columns of the whole cost, and in units of order one.
    candidate : Candidate
    whole : Cost
    rows, columns : ndarray of int
        Where the problem's are among the whole's; all others have no mass.

    Raises
    ------
    NotCertified
        When it is not proven; carries the interval that was reached.
    """
    certificate = _certificate(problem, candidate)
    if not candidate.certifies(problem):
        raise NotCertified(
            f"transport cost not proven: wanted a relative gap of {problem.tolerance:g}, reached "
            f"{certificate.relative_gap:.3g}; the cost lies in [{certificate.dual!r}, "
            f"{certificate.primal!r}]. {advice(problem, candidate, rows)}",
            certificate,
        )
    f, g = (np.full(size, np.inf) for size in whole.shape)
    f[rows] = np.ldexp(candidate.feasibility.f, problem.cost.exponent)
    g[columns] = np.ldexp(candidate.feasibility.g, problem.cost.exponent)
    massive = rows[problem.row_weights > 0], columns[problem.column_weights > 0]
    _price_others(whole, *massive, f, g)
    plan = candidate.plan
    return Solution(rows[plan.rows], columns[plan.columns], plan.mass, f, g, certificate)


def _price_others(
    cost: Cost,
    massive_rows: NDArray[np.intp],
    massive_columns: NDArray[np.intp],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
) -> None:
    """Fill in the potentials that are infinite so far, from those of the points with mass."""
    known = np.full_like(g, -np.inf)
    known[massive_columns] = g[massive_columns]
    for row in map(int, np.flatnonzero(np.isinf(f))):
        f[row] = (cost.block(row, row + 1)[0] - known).min()
        _require_price(f[row], "row", row)
    for column in map(int, np.flatnonzero(np.isinf(g))):
        entries = cost.at(massive_rows, np.full(len(massive_rows), column))
        g[column] = (entries - f[massive_rows]).min()
        _require_price(g[column], "column", column)


def _require_price(price: float, side: str, index: int) -> None:
    if not math.isfinite(price):
        raise TransportError(f"costs must be finite, but those of {side} {index} are not")


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
