"""Count the distinct places in a buyer's measure, at the resolution of a seller's points.

Points of the buyer count as one place if they are much nearer to each other than the seller's
points are to each other.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..arrays import npy
from ..arrays.entry_validation import WEIGHT_TOLERANCE, split_weights
from ..arrays.store import ArrayStore
from .models import Contribution

RESOLUTION = 0.25
"""The radius of a place, divided by the median distance from a seller's point to the nearest other.
"""

ROWS = 1024
"""The most points of the seller, and of the buyer, that are drawn."""

PROBES = 256
"""The most drawn points of the seller for which the nearest other point is found."""


def buyer_places(contribution: Contribution, store: ArrayStore) -> int | None:
    """Return the effective number of places in the buyer's measure.

    Parameters
    ----------
    contribution
        The seller's contribution. If its mode has arrays, all of them must be uploaded.
    store
        The store of the contribution's arrays and of the buyer's measure.

    Returns
    -------
    int or None
        None if the mode sends no points, or the buyer's measure is missing or deleted.
    """
    measure = contribution.request.measure
    if measure is None or measure.deleted_at or not contribution.terms.sends_points:
        return None
    # The radius is taken at the smallest s, where the seller's points are farthest apart.
    own = contribution.arrays[0]
    labelled = contribution.request.labelled
    points, weights = _sample(store.local_path(own.digest), own.weighted, ROWS, labelled)
    radius = RESOLUTION * _median_nearest_distance(points[weights > 0][:ROWS])
    points, weights = _sample(store.local_path(measure.digest), measure.weighted, ROWS, labelled)
    # The effective number is 1/Σp², where p are the masses of the places.
    repeated = np.square(_place_masses(points, weights, radius)).sum()
    if measure.rows > ROWS:  # correct the bias: each drawn point coincides with itself
        repeated = (repeated * ROWS - 1) / (ROWS - 1)
    return min(measure.rows, int((1 + WEIGHT_TOLERANCE["<f8"]) / max(repeated, 1 / measure.rows)))


def _sample(
    file: Path, weighted: bool, rows: int, labelled: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return at most `rows` points of an array and their weights, in random order.

    The last column holds weights if `weighted`; the class numbers of `labelled` points are left
    out.
    """
    points, weights = split_weights(npy.memory_map(file), weighted=weighted)
    if labelled:
        points = points[:, :-1]
    random = np.random.default_rng()
    if len(points) <= rows:
        drawn = random.permutation(len(points))
        return np.asarray(points[drawn], dtype=np.float64), weights[drawn]
    # Heavy points are drawn more often, so the drawn points have equal weights.
    drawn = random.choice(len(points), rows, replace=True, p=weights)
    return np.asarray(points[drawn], dtype=np.float64), np.full(rows, 1 / rows)


def _median_nearest_distance(points: NDArray[np.float64]) -> float:
    """Return the median distance of the first `PROBES` points to their nearest distinct point.

    Return 0 if all points coincide.
    """
    centred = points - points.mean(axis=0)
    squared = np.einsum("ij,ij->i", centred, centred)
    distances = squared[:PROBES, None] - 2 * centred[:PROBES] @ centred.T + squared
    apart = np.where(distances > 1e-12 * squared.max(initial=0), distances, np.inf).min(axis=1)
    return float(np.sqrt(np.median(apart))) if np.isfinite(apart).any() else 0.0


def _place_masses(
    points: NDArray[np.float64], weights: NDArray[np.float64], radius: float
) -> NDArray[np.float64]:
    """Cover all points with balls of this radius; return the mass of each ball.

    Each point counts in one ball only.
    """
    left = np.flatnonzero(weights)
    masses = []
    while len(left):
        away = points[left] - points[left[0]]
        inside = np.einsum("ij,ij->i", away, away) <= radius**2
        masses.append(weights[left[inside]].sum())
        left = left[~inside]
    return np.array(masses)
