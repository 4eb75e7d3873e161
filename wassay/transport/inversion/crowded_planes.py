"""Find columns in which many rows have the same value: these rows lie on a plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]
Rows = NDArray[np.bool_]

_MOST_AXES = 24
_SAMPLE, _STARTS, _PROJECTIONS = 400, 24, 1_500_000
"""Limits on the rows searched, on the random starts, and on starts × rows × dimensions²."""

# The value that rows share may be in the middle or extreme.
_LEVELS = (0.0, -1.0, 1.0)
"""Signed distances from the mean, in standard deviations, at which the search for a plane starts.
"""

_WIDTHS, _ROUNDS = (0.6, 0.4, 0.27, 0.18, 0.12, 0.08, 0.05, 0.03, 0.01, 1e-3, 1e-5), 4
"""Widths in standard deviations, and fits at each width: rows farther from a plane hardly count."""

_ON_PLANE = 1e-7
"""A row nearer to a plane than this many standard deviations is on it."""

_FURTHER = 5
"""At least this many rows more than dimensions must be on a plane, and this many rows off it."""

_FLAT, _SAME, _MOST_PLANES, _RIDGE = 1e-7, 0.999, 24, 1e-13


def crowded_planes(points: ArrayLike, guesses: ArrayLike, seed: int = 0) -> Matrix:
    """Find columns in which many rows have the same value, such as 0.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    guesses : array_like, shape (n, c)
        Further columns to start from, such as those that other attacks found.
    seed : int
        Seed for choosing the rows and the random starts.

    Returns
    -------
    ndarray, shape (n, k)
        The columns, in any order and with any sign, scale and origin. No columns (k = 0) if none is
        found, or if the points cannot be searched (see Notes).

    Notes
    -----
    After any affine map, such rows lie on one plane. Each row's distance from the plane is its
    value in the column. Two further kinds of column are returned with a plane: those in which all
    rows on the plane are equal, and those in which all rows off it are equal.

    Points are searched if they span r = 2 to 24 dimensions and at least 2·(r + 5) rows are
    distinct. At most 400 rows are searched. A plane counts if at least r + 5 of these are on it,
    and at least 5 of all rows off it.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    if not 1 < rank <= _MOST_AXES or rows < 2 * (rank + _FURTHER):
        return np.empty((rows, 0))
    white = coordinates / np.sqrt(variances)
    random = np.random.default_rng(seed)
    distinct = np.unique(np.round(white / _ON_PLANE), axis=0, return_index=True)[1]
    if len(distinct) < 2 * (rank + _FURTHER):  # equal rows share every plane
        return np.empty((rows, 0))
    sample = white[random.permutation(distinct)[:_SAMPLE]]
    guessed = np.asarray(guesses, np.float64)
    count = min(_STARTS, max(_PROJECTIONS // (len(sample) * rank**2), 4))
    starts = np.vstack(
        [(guessed - guessed.mean(axis=0)).T @ white, random.normal(size=(count, rank))]
    )
    found: list[Matrix] = []
    for axis, level in _fullest_planes(sample, starts):
        on = np.abs(white @ axis - level) < _ON_PLANE
        if (~on).sum() < _FURTHER:  # a few outliers are so far away that all others seem equal
            continue
        for group in (on, ~on):
            axes = [axis] if group is on else []
            for each in [*axes, *_flat_axes(white, group, axis)]:
                if all(abs(each @ other) < _SAME for other in found):
                    found.append(each)
    return np.asarray(white @ np.array(found).T) if found else np.empty((rows, 0))


def _fullest_planes(sample: Matrix, axes: Matrix) -> list[tuple[Matrix, float]]:
    """Find planes on which many of the `sample` rows lie, starting from the normals `axes`.

    Return each plane's normal and signed distance from the origin, the fullest plane first.
    """
    rows, rank = sample.shape
    lengths = np.linalg.norm(axes, axis=1)
    axes = (axes / np.where(lengths > 0, lengths, 1.0)[:, None])[lengths > 0]
    levels = np.repeat(_LEVELS, len(axes))
    axes = np.tile(axes, (len(_LEVELS), 1))
    affine = np.hstack([sample, np.ones((rows, 1))])
    products = (affine[:, :, None] * affine[:, None, :]).reshape(rows, -1)
    # Fit each plane to the rows near it; later fits use only nearer rows.
    for width in _WIDTHS:
        for _ in range(_ROUNDS):
            near = np.exp(-np.square((sample @ axes.T - levels) / width) / 2) + np.finfo(float).eps
            moments = (near.T @ products).reshape(-1, rank + 1, rank + 1)
            moments /= moments[:, -1:, -1:]
            means = moments[:, -1, :-1]
            covariances = moments[:, :-1, :-1] - means[:, :, None] * means[:, None, :]
            axes = _flattest(covariances, axes)
            levels = np.einsum("ij,ij->i", axes, means)
    counts = (np.abs(sample @ axes.T - levels) < _ON_PLANE).sum(axis=0)
    planes: list[tuple[Matrix, float]] = []
    for index in np.argsort(-counts):
        # Some plane goes through any `rank` rows by chance.
        if counts[index] < rank + _FURTHER or len(planes) == _MOST_PLANES:
            break
        if all(abs(axes[index] @ axis) < _SAME for axis, _ in planes):
            planes.append((axes[index], float(levels[index])))
    return planes


def _flattest(covariances: Matrix, axes: Matrix) -> Matrix:
    """Turn the planes' normals `axes` towards directions of least variance; return the new normals.

    `covariances` has the covariance of the rows near each plane.
    """
    scales = np.trace(covariances, axis1=1, axis2=2)[:, None, None]
    raised = covariances + _RIDGE * scales * np.eye(axes.shape[1])
    # Inverse iteration.
    for _ in range(2):
        axes = np.linalg.solve(raised, axes[..., None])[..., 0]
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return axes


def _flat_axes(white: Matrix, group: Rows, axis: Matrix) -> list[Matrix]:
    """Return directions, perpendicular to `axis`, in which the rows of a group are equal.

    `group` marks these rows of `white`; a group of too few rows gives no directions.
    """
    if group.sum() < white.shape[1] + _FURTHER:
        return []
    across = np.linalg.svd(axis[None])[2][1:]
    rows = (white[group] - white[group].mean(axis=0)) @ across.T
    _, extents, directions = np.linalg.svd(rows, full_matrices=False)
    return list(directions[extents <= _FLAT * extents[0]] @ across)
