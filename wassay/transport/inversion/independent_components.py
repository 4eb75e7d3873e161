"""Independent component analysis: recover columns from mixtures, as the least Gaussian axes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]
Contrast = Callable[[Matrix], tuple[Matrix, Matrix]]

_ROWS_PER_AXIS = 5
"""The fewest rows for each axis: with fewer, some direction is far from Gaussian by chance."""

_ITERATIONS, _CONVERGED = 60, 1e-4

_MOST_STARTS, _STARTED = 3, 2_000_000
"""Limits on random starts of each contrast, and on starts × rows × axes²."""

_BELL_MEAN, _BELL_DEVIATION = math.sqrt(1 / 2), math.sqrt(1 / math.sqrt(3) - 1 / 2)
"""The mean and the standard deviation of exp(−y²/2) for a standard normal y."""

_SKEW_DEVIATION = 3**-0.75
"""The standard deviation of y·exp(−y²/2), whose mean is 0."""

_SKEWED = 4.5
"""A component counts as skewed if its skewness exceeds this many deviations: chance gives less."""

# Of 135 clouds of 50 to 2,000 normal points in 2 to 100 dimensions, none exceeded this.
_BY_CHANCE, _BY_CHANCE_AND_AXIS = 0.5, 0.9
"""By chance, a component in d dimensions is at most ½ + 0.9√d deviations from Gaussian."""


def _logcosh(y: Matrix) -> tuple[Matrix, Matrix]:
    slope = np.tanh(y)
    return slope, 1 - np.square(slope)


def _exp(y: Matrix) -> tuple[Matrix, Matrix]:
    square = np.square(y)
    bell = np.exp(-square / 2)
    return y * bell, (1 - square) * bell


def _cube(y: Matrix) -> tuple[Matrix, Matrix]:
    square = np.square(y)
    return y * square, 3 * square


CONTRASTS: tuple[Contrast, ...] = (_logcosh, _exp, _cube)
"""FastICA's contrasts for most columns, for long tails, and for short tails.

Each returns the first and the second derivative at the given values.
"""


def least_gaussian_components(points: ArrayLike, seed: int = 0) -> Matrix:
    """Find the least Gaussian components of points; some may be due to chance.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    seed : int
        Seed of the random starts.

    Returns
    -------
    ndarray, shape (n, c)
        If the points span r dimensions: a set of r components for each start, with any sign, mean 0
        and variance 1. No columns (c = 0) if all points are equal, or are too few: five for each
        dimension are needed.

    Notes
    -----
    If columns are independent, and at most one is Gaussian, these components are the columns: a
    mixture is more Gaussian than its parts. If columns depend on each other, different starts find
    different components.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    if rank == 0 or rows < _ROWS_PER_AXIS * rank:
        return np.empty((rows, 0))
    white = coordinates / np.sqrt(variances)
    random = np.random.default_rng(seed)
    starts = min(_MOST_STARTS, max(1, _STARTED // white.size // rank))
    # Symmetric FastICA (Hyvärinen 1999).
    found = [
        white @ least_gaussian_rotation(white, contrast, random.normal(size=(rank, rank))).T
        for _ in range(starts)
        for contrast in CONTRASTS
    ]
    return np.hstack(found)


def beyond_chance(components: ArrayLike, axes: int) -> Matrix:
    """Keep the components that are less Gaussian than chance explains.

    Parameters
    ----------
    components : array_like, shape (n, c)
        With mean 0 and variance 1.
    axes : int
        Number of dimensions in which the components were sought.

    Returns
    -------
    ndarray, shape (n, k)
        The components kept, in the same order.
    """
    values = np.asarray(components, np.float64)
    root = math.sqrt(len(values))
    chance = (_BY_CHANCE + _BY_CHANCE_AND_AXIS * math.sqrt(axes)) / root
    bells = np.exp(-np.square(values) / 2)
    peaked = np.abs(bells.mean(axis=0) - _BELL_MEAN) > chance * _BELL_DEVIATION
    skewness = np.abs((values * bells).mean(axis=0)) * root
    return np.asarray(values[:, peaked | (skewness > _SKEWED * _SKEW_DEVIATION)])


def independent_components(points: ArrayLike, seed: int = 0) -> Matrix:
    """Find the least Gaussian components of points, without those that are due to chance.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    seed : int
        Seed of the random starts.

    Returns
    -------
    ndarray, shape (n, c)
        Components in any order and with any sign, with mean 0 and variance 1. No columns (c = 0) if
        all are due to chance.
    """
    return beyond_chance(least_gaussian_components(points, seed), len(axes_of(points)[2]))


def least_gaussian_rotation(white: Matrix, contrast: Contrast, start: Matrix) -> Matrix:
    """Rotate whitened points until their coordinates are least Gaussian; return the rotation.

    Parameters
    ----------
    white : ndarray, shape (n, d)
        Points with mean 0 and covariance 1.
    contrast : callable
        How far coordinates are from Gaussian: one of `CONTRASTS`.
    start : ndarray, shape (d, d)
        An invertible matrix: the search starts from the nearest rotation.

    Returns
    -------
    ndarray, shape (d, d)
        An orthonormal axis in each row. It may include a reflection.
    """
    rotation = _decorrelated(start)
    for _ in range(_ITERATIONS):
        slope, curvature = contrast(white @ rotation.T)
        step = _decorrelated(
            slope.T @ white / len(white) - curvature.mean(axis=0)[:, None] * rotation
        )
        moved = float(np.abs(np.abs(np.einsum("ij,ij->i", step, rotation)) - 1).max())
        rotation = step
        if moved < _CONVERGED:
            break
    return rotation


def _decorrelated(rotation: Matrix) -> Matrix:
    """Return the orthogonal matrix nearest to a matrix W: (W Wᵀ)^(−½) W."""
    left, _, right = np.linalg.svd(rotation, full_matrices=False)
    return np.asarray(left @ right)
