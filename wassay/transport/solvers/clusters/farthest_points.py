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
        The first point is chosen first.
    most : int
        Number of points to choose.
    share : float
        No more points are chosen once all others are at most this share of the distance of the
        second point.

    Returns
    -------
    chosen : ndarray of int, shape (k,)
    distances : ndarray, shape (k,)
        Distance of the point that follows each chosen one from all chosen so far; the last one's is
        of a point that is not chosen.
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
