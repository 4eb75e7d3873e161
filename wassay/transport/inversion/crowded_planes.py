"""Find columns in which many rows have the same value: these rows lie on a plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]
Rows = NDArray[np.bool_]

_MOST_AXES = 24
_SAMPLE, _STARTS, _PROJECTIONS = 400, 24, 1_500_000
"""Limits on the rows in which planes are sought, on the random starts, and on starts × rows × d².

The rows have d dimensions.
"""

_LEVELS = (0.0, -1.0, 1.0)
"""Distances from the mean at which planes start, in standard deviations.

The value that rows share may be in the middle or extreme.
"""

_WIDTHS, _ROUNDS = (0.6, 0.4, 0.27, 0.18, 0.12, 0.08, 0.05, 0.03, 0.01, 1e-3, 1e-5), 4
"""Widths, in standard deviations: rows farther from a plane hardly count in its fit.

Each width is used for 4 rounds.
"""

_ON_PLANE, _FURTHER = 1e-7, 5
"""A row counts as on a plane if it is nearer to the plane than 1e-7 standard deviations.

Some plane goes through any d rows. If 5 further rows are on it, that is not due to chance.
"""

_FLAT, _SAME, _MOST_PLANES, _RIDGE = 1e-7, 0.999, 24, 1e-13


def crowded_planes(points: ArrayLike, guesses: ArrayLike, seed: int = 0) -> Matrix:
    """Find columns in which many rows have the same value, such as 0.

    Such rows lie on one plane after any affine map, and the distance from the plane is the column.
    If the rows on a plane are also equal in a second column, that column is returned, too. So is a
    column in which all rows off the plane are equal. A plane with fewer than five rows off it does
    not count.

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
        The columns; their order, sign, scale and origin are arbitrary. No columns (k = 0) if chance
        explains how many rows every plane has, if the points span only one dimension or more than
        24, or if there are fewer distinct rows than 2·(5 + the number of dimensions).
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
        if counts[index] < rank + _FURTHER or len(planes) == _MOST_PLANES:
            break
        if all(abs(axes[index] @ axis) < _SAME for axis, _ in planes):
            planes.append((axes[index], float(levels[index])))
    return planes


def _flattest(covariances: Matrix, axes: Matrix) -> Matrix:
    """Turn each plane's normal towards the direction in which the rows near the plane vary least.

    `axes` has the normals, and the result the turned ones, shape (axes, d). `covariances` has the
    covariance of the rows near each plane, shape (axes, d, d).
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

    `white` has all rows, whitened; `group` marks those of the group.
    """
    if group.sum() < white.shape[1] + _FURTHER:
        return []
    across = np.linalg.svd(axis[None])[2][1:]
    rows = (white[group] - white[group].mean(axis=0)) @ across.T
    _, extents, directions = np.linalg.svd(rows, full_matrices=False)
    return list(directions[extents <= _FLAT * extents[0]] @ across)
