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
    """Update the minima of C_ij − g_j of rows, and of C_ij − f_i of columns, with listed pairs.

    Parameters
    ----------
    rows, columns : ndarray of int, shape (l,)
    costs : ndarray, shape (l,)
        Costs of the listed pairs.
    f, g : ndarray, shapes (n,) and (m,)
        Potentials of the rows and columns.
    row_minima, column_minima : ndarray, shapes (n,) and (m,)
        The minima so far; updated in place.

    Returns
    -------
    float
        Smallest C_ij − f_i − g_j of the listed pairs; infinite for an empty list.
    """
    minimum = np.inf
    for index in range(len(rows)):
        row, column = rows[index], columns[index]
        left, right = costs[index] - g[column], costs[index] - f[row]
        row_minima[row] = min(row_minima[row], left)
        column_minima[column] = min(column_minima[column], right)
        minimum = min(minimum, left - f[row])
    return minimum
