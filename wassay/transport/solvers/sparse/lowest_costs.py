"""The lowest costs of each point in a pair list, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled


@compiled
def lowest_costs(
    points: NDArray[np.intp], costs: NDArray[np.float64], size: int, number: int
) -> NDArray[np.float64]:
    """Return the lowest costs of each point, ascending.

    Parameters
    ----------
    points : ndarray of int, shape (l,)
        The row, or the column, of each pair.
    costs : ndarray, shape (l,)
        Cost of each pair.
    size : int
        Number of points.
    number : int
        How many costs to return for each point.

    Returns
    -------
    ndarray, shape (size, number)
        Infinite where a point has fewer pairs.
    """
    lowest = np.full((size, number), np.inf)
    for pair in range(len(costs)):
        point, cost = points[pair], costs[pair]
        if cost < lowest[point, number - 1]:
            place = number - 1
            while place > 0 and cost < lowest[point, place - 1]:
                lowest[point, place] = lowest[point, place - 1]
                place -= 1
            lowest[point, place] = cost
    return lowest
