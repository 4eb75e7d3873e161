"""Compiled loops of `cluster_bounds` over the points of each cluster."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled_in_any_order

Reals = NDArray[np.float64]


@compiled_in_any_order
def cluster_minima(
    values: Reals, lengths: Reals, radii: Reals, potentials: Reals, starts: NDArray[np.intp]
) -> Reals:
    """Return, by cluster and l, the least values[i, l] − lengths[i]·radii[l] − potentials[i].

    The minimum is over the points i of the cluster.

    Parameters
    ----------
    values : ndarray, shape (n, k)
    lengths, radii : ndarray, shapes (n,) and (k,)
    potentials : ndarray, shape (n,)
    starts : ndarray of int, shape (c + 1,)
        First point of each cluster; the last entry is the number of points.

    Returns
    -------
    ndarray, shape (c, k)
        Infinite for clusters without points.
    """
    minima = np.full((len(starts) - 1, len(radii)), np.inf)
    for cluster in range(len(minima)):
        lowest = minima[cluster]
        for point in range(starts[cluster], starts[cluster + 1]):
            length, potential = lengths[point], potentials[point]
            for other in range(len(radii)):
                least = values[point, other] - length * radii[other]
                lowest[other] = min(lowest[other], least - potential)
    return minima


@compiled_in_any_order
def cluster_minima_of_roots(
    values: Reals,
    lengths: Reals,
    radii: Reals,
    others: Reals,
    potentials: Reals,
    starts: NDArray[np.intp],
    unit: float,
) -> Reals:
    """Return minima like `cluster_minima`, in which unit·√q takes the place of the first two terms.

    q is values[i, l] − lengths[i]·radii[l] + others[cluster, l], or 0 if that is negative.

    Parameters
    ----------
    values : ndarray, shape (n, k)
    lengths, radii : ndarray, shapes (n,) and (k,)
    others : ndarray, shape (c, k)
    potentials : ndarray, shape (n,)
    starts : ndarray of int, shape (c + 1,)
        First point of each cluster; the last entry is the number of points.
    unit : float

    Returns
    -------
    ndarray, shape (c, k)
        Infinite for clusters without points.
    """
    minima = np.full((len(starts) - 1, len(radii)), np.inf)
    for cluster in range(len(minima)):
        lowest, other = minima[cluster], others[cluster]
        for point in range(starts[cluster], starts[cluster + 1]):
            length, potential = lengths[point], potentials[point]
            for index in range(len(radii)):
                squared = max(values[point, index] - length * radii[index] + other[index], 0.0)
                lowest[index] = min(lowest[index], np.sqrt(squared) * unit - potential)
    return minima


@compiled_in_any_order
def lowest_of_clusters(
    values: Reals, potentials: Reals, starts: NDArray[np.intp], unit: float, number: int
) -> NDArray[np.intp]:
    """Return the points i of each cluster with the lowest values[i, l] − potentials[i], for each l.

    Parameters
    ----------
    values : ndarray, shape (n, k)
    potentials : ndarray, shape (n,)
    starts : ndarray of int, shape (c + 1,)
        First point of each cluster; the last entry is the number of points.
    unit : float
        If positive, unit·√(values[i, l]) takes the place of values[i, l].
    number : int
        How many points to return for each cluster and column.

    Returns
    -------
    ndarray of int, shape (c, k, number)
        Indices of the points, by ascending difference; −1 if a cluster has fewer points.
    """
    clusters, others = len(starts) - 1, values.shape[1]
    lowest = np.full((clusters, others, number), -1)
    for cluster in range(clusters):
        smallest = np.full((others, number), np.inf)
        for point in range(starts[cluster], starts[cluster + 1]):
            for other in range(others):
                value = values[point, other]
                if unit > 0:
                    value = np.sqrt(value) * unit
                value -= potentials[point]
                place = number
                while place > 0 and value < smallest[other, place - 1]:
                    place -= 1
                    if place < number - 1:
                        smallest[other, place + 1] = smallest[other, place]
                        lowest[cluster, other, place + 1] = lowest[cluster, other, place]
                if place < number:
                    smallest[other, place], lowest[cluster, other, place] = value, point
    return lowest
