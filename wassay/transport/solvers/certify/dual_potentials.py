"""Potentials to check, and the feasible ones with the lower bound that a check returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import ROUNDING_OF_FLOAT32
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.transport_problem import TransportProblem

FLOAT32_SHARE_OF_GAP = 1 / 20
"""Share of the allowed gap that a scan in float32 may use up."""

MAX_VIOLATED_PER_POINT = 20
"""Limit on the violated pairs reported per point of the larger side."""

SLACK = 1e-6
"""Pairs are scanned if their reduced costs may be below this."""

_OPERATIONS = 8
"""Roundings of a reduced cost in float32, with room for any order of its operations."""

_ROUNDING_OF_SUMS = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class DualPotentials:
    """Potentials to check.

    Attributes
    ----------
    problem : TransportProblem
    f, g : ndarray, shapes (n,) and (m,)
    primal : float
        Cost of a feasible plan.
    level : float
        Pairs whose reduced cost is below this are reported as violated.
    """

    problem: TransportProblem
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    primal: float
    level: float

    def rounded_to_float32(self) -> DualPotentials:
        """Return the potentials rounded to float32."""
        f, g = self.f.astype(np.float32), self.g.astype(np.float32)
        return replace(self, f=f.astype(np.float64), g=g.astype(np.float64))

    def tolerates(self, violation: float) -> bool:
        """Whether the gap stays within tolerance even if every pair is violated by this much."""
        return violation <= self.problem.allowed_gap(self.primal)

    def float32_error(self) -> float:
        """Bound the error of reduced costs of at most one in float32."""
        rounding = _OPERATIONS * ROUNDING_OF_FLOAT32 * (1 + _magnitude(self.f, self.g))
        return rounding + self.problem.cost.float32_error()

    def allow_float32(self) -> bool:
        """Whether the error of float32 is a small share of the allowed gap."""
        allowed = FLOAT32_SHARE_OF_GAP * self.problem.tolerance * abs(self.primal)
        return self.float32_error() <= allowed


@dataclass(frozen=True, eq=False)
class DualFeasibility:
    """Feasible potentials, their value, and the pairs that the given potentials violate.

    Attributes
    ----------
    f, g : ndarray, shapes (n,) and (m,)
        Feasible potentials: the given ones of one side and the c-transform of the other; the side
        is chosen that gives the larger value. A point without mass has the cost of placing mass
        there, which is infinite if no pair of that point was scanned.
    dual : float
        Value of f and g, a lower bound on the cost of every plan. It is at least the smallest cost,
        which constant potentials certify.
    violation : float
        Largest f_i + g_j − C_ij of the given potentials.
    rows, columns : ndarray of int
        Pairs whose reduced cost is below the level; of every block only the most violated.
    """

    f: NDArray[np.float64]
    g: NDArray[np.float64]
    dual: float
    violation: float
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]

    @classmethod
    def from_c_transforms(
        cls,
        potentials: DualPotentials,
        row_transform: NDArray[np.float64],
        column_transform: NDArray[np.float64],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
    ) -> DualFeasibility:
        """Take the c-transform of rows or of columns that gives the larger value.

        Parameters
        ----------
        potentials : DualPotentials
        row_transform, column_transform : ndarray, shapes (n,) and (m,)
            Lower bounds on min_j (C_ij − g_j) and min_i (C_ij − f_i) over the points with mass.
        rows, columns : ndarray of int
            Violated pairs.

        Returns
        -------
        DualFeasibility
        """
        f, g = potentials.f, potentials.g
        a, b = potentials.problem.row_weights, potentials.problem.column_weights
        by_rows, by_columns = float(a @ row_transform + b @ g), float(a @ f + b @ column_transform)
        error = rounding_error(f, g)
        transformed_rows = by_rows > by_columns
        return cls(
            row_transform if transformed_rows else np.where(a > 0, f, row_transform),
            np.where(b > 0, g, column_transform) if transformed_rows else column_transform,
            max(max(by_rows, by_columns) - error, potentials.problem.cost.lowest),
            float((f - row_transform)[a > 0].max()),
            rows,
            columns,
        )


FeasibilityCheck: TypeAlias = Callable[
    [PreparedCost, Sequence[DualPotentials]], list[DualFeasibility]
]
"""Checks potentials over the same costs: `check_dual_feasibility` or a cheaper equivalent."""


def rounding_error(f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """Bound the rounding error of the dual value, relative to the potentials' magnitude."""
    return _ROUNDING_OF_SUMS * _magnitude(f, g)


def _magnitude(f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """Return the magnitude to which rounding errors of potentials are relative."""
    return float(np.abs(f).max()) + float(np.abs(g).max())


def highest_potentials(
    batch: Sequence[DualPotentials],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the largest potential of each point in the batch, which decide what is left out."""
    f, g = (np.max(side, axis=0) for side in zip(*((p.f, p.g) for p in batch), strict=True))
    return f, g
