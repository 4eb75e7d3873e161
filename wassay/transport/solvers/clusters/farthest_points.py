"""Choose points that are far from each other, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled_in_any_order


@compiled_in_any_order
def farthest_points(
    coordinates: NDArray[np.float32], most: int, share: np.float32
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Choose points one after the other, each farthest from those before it.

    Parameters
    ----------
    coordinates : ndarray, shape (d, n)
        The point of column 0 is chosen first.
    most : int
        Largest number of points to choose.
    share : float
        The search ends early once an entry of `distances` is at most this share of the first one.
        That entry is the last.

    Returns
    -------
    chosen : ndarray of int, shape (k,)
        Columns of the chosen points.
    distances : ndarray, shape (k,)
        Entry i is the distance between the first i + 1 chosen points and the farthest other point.
    """
    dimension, number = coordinates.shape
    chosen = np.zeros(most, np.intp)
    distances = np.zeros(most, np.float32)
    nearest = np.full(number, np.inf, np.float32)
    squared = np.empty(number, np.float32)
    for found in range(most):
        squared[:] = 0
        for coordinate in range(dimension):
            own = coordinates[coordinate, chosen[found]]
            for point in range(number):
                difference = coordinates[coordinate, point] - own
                squared[point] += difference * difference
        farthest = 0
        for point in range(number):
            nearest[point] = min(nearest[point], squared[point])
            if nearest[point] > nearest[farthest]:
                farthest = point
        distances[found] = np.sqrt(nearest[farthest])
        if distances[found] <= share * distances[0]:
            return chosen[: found + 1], distances[: found + 1]
        if found + 1 < most:
            chosen[found + 1] = farthest
    return chosen, distances
