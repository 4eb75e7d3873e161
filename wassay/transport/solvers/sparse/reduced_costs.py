"""Minima of C_ij − g_j and C_ij − f_i over a pair list, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled


@compiled
def lower_to_pairs(
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    costs: NDArray[np.float64],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    row_minima: NDArray[np.float64],
    column_minima: NDArray[np.float64],
) -> float:
    """Update the minima of rows and columns with the listed pairs, in place.

    The minimum of a row is its smallest C_ij − g_j, and the minimum of a column is its smallest
    C_ij − f_i.

    Parameters
    ----------
    rows, columns : ndarray of int, shape (l,)
    costs : ndarray, shape (l,)
        Costs of the listed pairs.
    f, g : ndarray, shapes (n,) and (m,)
        Potentials of the rows and columns.
    row_minima, column_minima : ndarray, shapes (n,) and (m,)
        On entry, upper bounds on the minima. Each is lowered if a listed pair has a smaller value.

    Returns
    -------
    float
        Smallest C_ij − f_i − g_j; infinite for an empty list.
    """
    minimum = np.inf
    for index in range(len(rows)):
        row, column = rows[index], columns[index]
        left, right = costs[index] - g[column], costs[index] - f[row]
        row_minima[row] = min(row_minima[row], left)
        column_minima[column] = min(column_minima[column], right)
        minimum = min(minimum, left - f[row])
    return minimum
