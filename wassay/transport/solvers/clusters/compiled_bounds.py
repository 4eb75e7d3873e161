"""Compiled loops of `cluster_bounds`: minima over the points of each cluster."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled_in_any_order

Reals = NDArray[np.float64]


@compiled_in_any_order
def subtract_products(values: Reals, lengths: Reals, radii: Reals, rounding: float) -> None:
    """Subtract lengths[i]·radii[l] + rounding from every entry (i, l), in place.

    Parameters
    ----------
    values : ndarray, shape (n, k)
    lengths, radii : ndarray, shapes (n,) and (k,)
    rounding : float
    """
    for point in range(len(values)):
        for cluster in range(len(radii)):
            values[point, cluster] -= lengths[point] * radii[cluster] + rounding


@compiled_in_any_order
def cluster_minima(values: Reals, potentials: Reals, starts: NDArray[np.intp]) -> Reals:
    """Return the smallest values[i, l] − potentials[i] over the points i of each cluster.

    Parameters
    ----------
    values : ndarray, shape (n, k)
    potentials : ndarray, shape (n,)
    starts : ndarray of int, shape (c + 1,)
        First point of each cluster, and then the number of points.

    Returns
    -------
    ndarray, shape (c, k)
        Infinite for clusters without points.
    """
    minima = np.full((len(starts) - 1, values.shape[1]), np.inf)
    for cluster in range(len(minima)):
        lowest = minima[cluster]
        for point in range(starts[cluster], starts[cluster + 1]):
            potential = potentials[point]
            for other in range(len(lowest)):
                lowest[other] = min(lowest[other], values[point, other] - potential)
    return minima


@compiled_in_any_order
def cluster_minima_of_roots(
    values: Reals, others: Reals, potentials: Reals, starts: NDArray[np.intp], unit: float
) -> Reals:
    """Return `cluster_minima` with √max(values[i, l] + others[c, l], 0)·unit for values[i, l].

    Parameters
    ----------
    values : ndarray, shape (n, k)
    others : ndarray, shape (c, k)
        Added to the values of the points of each cluster c.
    potentials : ndarray, shape (n,)
    starts : ndarray of int, shape (c + 1,)
        First point of each cluster, and then the number of points.
    unit : float

    Returns
    -------
    ndarray, shape (c, k)
        Infinite for clusters without points.
    """
    minima = np.full((len(starts) - 1, values.shape[1]), np.inf)
    for cluster in range(len(minima)):
        lowest, other = minima[cluster], others[cluster]
        for point in range(starts[cluster], starts[cluster + 1]):
            potential = potentials[point]
            for index in range(len(lowest)):
                squared = max(values[point, index] + other[index], 0.0)
                lowest[index] = min(lowest[index], np.sqrt(squared) * unit - potential)
    return minima
