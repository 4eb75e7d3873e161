"""Directions in which a buyer's classes differ, each for points that are not used to find it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.measure import Measure

FOLDS = 4
"""The number of parts into which the buyer's points are divided."""

SHRINKAGE = 0.1
"""The weight of a multiple of the identity in the shrunk covariance within classes."""

MOST_DIMENSIONS = 1_000
"""In more dimensions there are no discriminants: computing them would take too long."""

MOST_POINTS = 2_000
"""The most points from which discriminants are computed; more points are sampled."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Discriminants:
    """Linear discriminants for some of a buyer's points, computed from other points.

    Attributes
    ----------
    rows : ndarray of int
        Indices of the points to which to apply the discriminants.
    directions : ndarray, shape (d, r)
        The matrix by which to multiply points; r is less than the number of classes.
    """

    rows: NDArray[np.intp]
    directions: Matrix


def discriminants(buyer: Measure, classes: ArrayLike) -> list[Discriminants]:
    """Compute Fisher's linear discriminants of a buyer's classes, for each quarter of the points.

    The discriminants for a quarter are computed from the other three quarters. Along each
    discriminant, the variance within classes is about 1. The result does not depend on an isometry
    or a scaling of the points.

    Parameters
    ----------
    buyer : Measure, m points in d dimensions
    classes : array_like, shape (m,)
        The class of each point.

    Returns
    -------
    list of Discriminants
        One for each quarter of the points with mass; fewer than four if no class has four points.
        Empty if there is one dimension or more than 1,000, or if fewer than two classes have two
        or more points with mass.
    """
    # Points seem nearer to their own class in directions that were computed from them.
    massive = np.flatnonzero(buyer.weights)
    points, weights = buyer.points[massive], buyer.weights[massive]
    index = np.unique(np.asarray(classes)[massive], return_inverse=True)[1]
    repeated = np.bincount(index) > 1
    if not 1 < buyer.dimension <= MOST_DIMENSIONS or repeated.sum() <= 1:
        return []
    random = np.random.default_rng(0)
    folds = _folds(random, index)
    found = []
    for fold in range(min(FOLDS, folds.max() + 1)):
        train = random.permutation(np.flatnonzero(folds != fold))[:MOST_POINTS]
        directions = _fisher(points[train], weights[train], index[train])
        found.append(Discriminants(massive[folds == fold], directions))
    return found


def _folds(random: np.random.Generator, index: NDArray[np.intp]) -> NDArray[np.intp]:
    """Divide the points of each class among the folds, at random and as evenly as possible.

    `index` has the class of each point, and the result its fold.
    """
    order = random.permutation(len(index))
    order = order[np.argsort(index[order], kind="stable")]
    sizes = np.bincount(index)
    within = np.arange(len(index)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    folds = np.empty(len(index), dtype=np.intp)
    folds[order] = within % FOLDS
    return folds


def _fisher(points: Matrix, weights: Matrix, index: NDArray[np.intp]) -> Matrix:
    """Return linear discriminants as columns; the variance within classes is about 1 along each.

    `index` has the class of each point.
    """
    shares = weights / weights.sum()
    present, index = np.unique(index, return_inverse=True)
    members = (index == np.arange(len(present))[:, None]) * shares
    masses = members.sum(axis=1)
    means = members @ points / masses[:, None]
    centred = points - means[index]
    within = centred.T @ (centred * shares[:, None])
    dimension = points.shape[1]
    scale = np.trace(within) / dimension or 1.0
    shrunk = (1 - SHRINKAGE) * within + SHRINKAGE * scale * np.eye(dimension)
    root = np.linalg.cholesky(shrunk)
    between = np.sqrt(masses) * np.linalg.solve(root, (means - shares @ points).T)
    axes = np.linalg.svd(between, full_matrices=False)[0][:, : max(len(present) - 1, 1)]
    directions: Matrix = np.linalg.solve(root.T, axes)
    return directions
