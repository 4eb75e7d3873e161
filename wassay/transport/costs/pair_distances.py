"""Squared distances of single pairs of points, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled_in_any_order


@compiled_in_any_order
def squared_distances(
    points: NDArray[np.float64],
    others: NDArray[np.float64],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return ‖points[rows[k]] − others[columns[k]]‖² for each of l pairs k.

    Parameters
    ----------
    points, others : ndarray, shapes (n, d) and (m, d)
    rows, columns : ndarray of int, shape (l,)

    Returns
    -------
    ndarray, shape (l,)
    """
    squared = np.empty(len(rows))
    for index in range(len(rows)):
        row, column = rows[index], columns[index]
        total = 0.0
        for coordinate in range(points.shape[1]):
            difference = points[row, coordinate] - others[column, coordinate]
            total += difference * difference
        squared[index] = total
    return squared
