"""Estimate records from another sample of their population, by matching principal axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of, expected_squared_sines

Matrix = NDArray[np.float64]

# An axis of the points and the sample's axis must both keep within this. In round clouds, where
# every axis is arbitrary, nearly none do.
_LARGEST_SQUARED_SINE = 0.03
"""Largest expected squared sine of the angle between a principal axis and the population's axis."""

_COMPARED, _MOST_ROUNDS = 300, 10


def match_axes(points: ArrayLike, sample: ArrayLike, seed: int = 0) -> Matrix:
    """Estimate the records behind points, with the help of other records of the same population.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record to estimate, after an unknown similarity.
    sample : array_like, shape (m, d)
        Other records of the population, in their own units.
    seed : int
        Seed for choosing the points to compare, if there are many.

    Returns
    -------
    ndarray, shape (n, d) or (n, 0)
        Estimates of the records. No columns if no axis is determined, or if the sample has another
        dimension.

    Notes
    -----
    Principal axes of the points are matched with those of the other records, in the order of their
    variances. Axes that the points or the other records do not determine are left out.

    This is the known-sample attack of Liu, Giannella & Kargupta, An Attacker's View of Distance
    Preserving Maps for Privacy Preserving Data Mining (2006).
    """
    records = np.asarray(sample, np.float64)
    _, coordinates, variances = axes_of(points)
    axes, owned, owned_variances = axes_of(records)
    rows, rank = len(coordinates), min(len(variances), len(owned_variances))
    none = np.empty((rows, 0))
    if np.shape(points)[1] != records.shape[1] or not rank:
        return none
    squared_sines = (
        expected_squared_sines(variances, rows)[:rank],
        expected_squared_sines(owned_variances, len(owned))[:rank],
    )
    kept = np.flatnonzero(np.maximum(*squared_sines) <= _LARGEST_SQUARED_SINE)
    if not kept.size:
        return none
    scaled = coordinates[:, kept] * np.sqrt(owned_variances[kept] / variances[kept])
    random = np.random.default_rng(seed)
    signs = _signs(
        random.permutation(scaled)[:_COMPARED], random.permutation(owned[:, kept])[:_COMPARED]
    )
    return np.asarray(records.mean(axis=0) + scaled * signs @ axes[kept])


def _signs(points: Matrix, sample: Matrix) -> Matrix:
    """Return a sign (1 or −1) for each coordinate; points times signs are near the sample."""
    signs = np.array(
        [
            1.0 if _distance(point, other) <= _distance(-point, other) else -1.0
            for point, other in zip(points.T[:, :, None], sample.T[:, :, None], strict=True)
        ]
    )
    # Change one sign at a time while that brings them nearer.
    nearest = _distance(points * signs, sample)
    for _ in range(_MOST_ROUNDS):
        before = nearest
        for axis in range(len(signs)):
            signs[axis] *= -1
            distance = _distance(points * signs, sample)
            if distance < nearest:
                nearest = distance
            else:
                signs[axis] *= -1
        if nearest == before:
            break
    return signs


def _distance(points: Matrix, sample: Matrix) -> float:
    """Return the mean distance over all pairs of a point and a record of the sample."""
    # The energy distance (Székely & Rizzo 2004) also has terms that do not depend on signs.
    squares = np.square(points).sum(axis=1)[:, None] + np.square(sample).sum(axis=1)
    return float(np.sqrt(np.maximum(squares - 2 * points @ sample.T, 0)).mean())
