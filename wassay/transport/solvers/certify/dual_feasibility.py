"""The result of a dual feasibility check: feasible potentials, and the lower bound they prove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.dual_potentials import DualPotentials, rounding_error
from wassay.transport.solvers.prepared_cost import PreparedCost


@dataclass(frozen=True, eq=False)
class DualFeasibility:
    """Feasible potentials, their value, and the pairs that the checked potentials violate.

    Attributes
    ----------
    f, g : ndarray, shapes (n,) and (m,)
        Feasible potentials: the checked ones of one side, and their c-transform on the other side.
        The potential of a point without mass is the cost of placing mass there, or infinite if
        no pair of the point was scanned.
    dual : float
        Lower bound on the cost of every plan.
    violation : float
        Largest f_i + g_j − C_ij of the checked potentials.
    rows, columns : ndarray of int
        The violated pairs, whose reduced cost for the checked potentials is below
        `DualPotentials.level`; if there are many, only the most violated.
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
        """Build the result with the better of the two c-transforms: of the rows, or of the columns.

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
            # Constant potentials certify the smallest cost.
            max(max(by_rows, by_columns) - error, potentials.problem.cost.lowest),
            float((f - row_transform)[a > 0].max()),
            rows,
            columns,
        )


FeasibilityCheck: TypeAlias = Callable[
    [PreparedCost, Sequence[DualPotentials]], list[DualFeasibility]
]
"""Checks potentials over the same costs: `check_dual_feasibility` or a cheaper equivalent."""
