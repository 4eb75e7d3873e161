"""Reduced costs of all pairs: what is left of C_ij once potentials are taken off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.prepared import Blocks, PreparedCost

OFFENDERS_A_ROW = 20
"""How many violated pairs of a block of rows are reported, for each of its rows."""


@dataclass(frozen=True, eq=False)
class Inspection:
    """What one pass over all pairs says of potentials f and g.

    Attributes
    ----------
    feasible_g : ndarray
        min_i (C_ij − f_i): with f, the best feasible potentials.
    violation : float
        Largest f_i + g_j − C_ij.
    least_cost : float
        Smallest C_ij.
    rows, columns : ndarray of int
        Pairs with C_ij − f_i − g_j below the asked level, the worst of every block.
    """

    feasible_g: NDArray[np.float64]
    violation: float
    least_cost: float
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]

    def dual(
        self,
        f: NDArray[np.float64],
        row_weights: NDArray[np.float64],
        column_weights: NDArray[np.float64],
    ) -> float:
        """A lower bound of every plan's cost.

        Constant potentials are feasible too, so the cheapest pair bounds every plan from below.
        """
        return max(float(row_weights @ f + column_weights @ self.feasible_g), self.least_cost)


def inspect(
    cost: PreparedCost, f: NDArray[np.float64], g: NDArray[np.float64], level: float
) -> Inspection:
    """Take potentials off all costs, and report pairs whose reduced cost is below `level`."""
    m = cost.shape[1]

    def look(blocks: Blocks[np.float64]) -> Inspection:
        feasible = np.full(m, np.inf)
        least_cost = least_reduced = np.inf
        rows, columns = [], []
        for start, stop, block in blocks:
            least_cost = min(least_cost, float(block.min()))
            reduced = block - f[start:stop, None]
            np.minimum(feasible, reduced.min(axis=0), out=feasible)
            reduced -= g
            least = reduced.min(axis=1)
            least_reduced = min(least_reduced, float(least.min()))
            offending = np.flatnonzero(least < level)
            own_rows, own_columns = _worst(reduced[offending], level)
            rows.append(offending[own_rows] + start)
            columns.append(own_columns)
        return Inspection(
            feasible, 0.0 - least_reduced, least_cost, np.concatenate(rows), np.concatenate(columns)
        )

    parts = []
    feasible = np.full(m, np.inf)
    for part in cost.exactly(look):
        np.minimum(feasible, part.feasible_g, out=feasible)
        parts.append((part.violation, part.least_cost, part.rows, part.columns))
    violations, least_costs, rows, columns = zip(*parts, strict=True)
    return Inspection(
        feasible,
        max(violations),
        min(least_costs),
        np.concatenate(rows),
        np.concatenate(columns),
    )


def _worst(reduced: NDArray[np.float64], level: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs below the level, at most `OFFENDERS_A_ROW` times the number of rows."""
    below = np.flatnonzero(reduced < level)
    most = OFFENDERS_A_ROW * len(reduced)
    if len(below) > most:
        values = reduced.ravel()[below]
        below = below[np.argpartition(values, most)[:most]]
    return np.divmod(below, reduced.shape[1])
