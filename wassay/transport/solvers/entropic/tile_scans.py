"""Compiled scans of tiles (blocks of a cost matrix) for the few low reduced costs."""

# In each stretch of a row, the low entries are counted first, because loops that count are
# vectorised. Only if there are any, entries are looked at one by one.

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled_in_any_order
from wassay.transport.costs.cost import Real

_COLUMNS_AT_A_TIME = 64
"""The number of entries of a row that are counted together."""


@compiled_in_any_order
def rare_indices(
    tile: NDArray[np.float32], g: NDArray[np.float32], limit: NDArray[np.float32]
) -> NDArray[np.intp]:
    """Return the flat indices of the entries with C_ij − g_j at most their row's limit.

    This is fast if at most one entry in eighty is such.

    Parameters
    ----------
    tile : ndarray, shape (h, w)
        Costs.
    g : ndarray, shape (w,)
        Potentials of the columns.
    limit : ndarray, shape (h,)
        The limit of each row.

    Returns
    -------
    ndarray of int
        Indices into the flattened tile, ascending.
    """
    indices = np.empty(tile.size, np.intp)
    found = 0
    width = len(g)
    for row in range(len(tile)):
        most = limit[row]
        for first in range(0, width, _COLUMNS_AT_A_TIME):
            costs = tile[row, first : first + _COLUMNS_AT_A_TIME]
            potentials = g[first : first + _COLUMNS_AT_A_TIME]
            cheap = np.int32(0)
            for column in range(len(costs)):
                cheap += np.int32(1) if costs[column] - potentials[column] <= most else np.int32(0)
            if cheap:
                for column in range(len(costs)):
                    if costs[column] - potentials[column] <= most:
                        indices[found] = row * width + first + column
                        found += 1
    return indices[:found].copy()


@compiled_in_any_order
def lower_minima(
    tile: NDArray[Real],
    f: NDArray[Real],
    g: NDArray[Real],
    row_minima: NDArray[Real],
    column_minima: NDArray[Real],
) -> None:
    """Update the minima of C_ij − g_j of rows, and of C_ij − f_i of columns, with one more tile.

    Parameters
    ----------
    tile : ndarray, shape (h, w)
        Costs.
    f, g : ndarray, shapes (h,) and (w,)
        Potentials of the rows and columns; −∞ for points that lower no minimum.
    row_minima, column_minima : ndarray, shapes (h,) and (w,)
        The minima so far; updated in place.
    """
    width = len(g)
    for row in range(len(tile)):
        for column in range(width):
            column_minima[column] = min(column_minima[column], tile[row, column] - f[row])
        minimum = row_minima[row]
        for first in range(0, width, _COLUMNS_AT_A_TIME):
            costs = tile[row, first : first + _COLUMNS_AT_A_TIME]
            potentials = g[first : first + _COLUMNS_AT_A_TIME]
            lower = np.int32(0)
            for column in range(len(costs)):
                lower += (
                    np.int32(1) if costs[column] - potentials[column] < minimum else np.int32(0)
                )
            if lower:
                for column in range(len(costs)):
                    minimum = min(minimum, costs[column] - potentials[column])
        row_minima[row] = minimum
