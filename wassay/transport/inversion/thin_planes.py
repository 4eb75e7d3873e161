"""Find pairs of columns in which rows lie on a curve, such as the sine and cosine of an hour."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of
from wassay.transport.inversion.thin_spaces import nearest_axes, refined

Matrix = NDArray[np.float64]

_ROWS_PER_AXIS, _FEWEST_ROWS = 5, 50
_ROWS, _MOST_RUNS, _MOST_AXES = 600, 4, 100
"""Limits on the rows, sets of components and axes that are searched."""

_FEWEST_CELLS, _MOST_CELLS, _ROWS_PER_CELL = 5, 16, 2.5
_TRIED, _MOST_TRIED = 2_200_000, 40
"""Limits on pairs of components × rows², and on pairs of components to refine."""

_FEWEST_NEIGHBOURS, _SHIFTS = 5, (1, 2)
"""The arguments `fewest_neighbours` and `shifts` of `refined`."""

# Of 250 clouds of 51 to 5,000 normal, uniform, exponential, log-normal and long-tailed points in 2
# to 40 dimensions, none had a plane as thin.
_THIN, _THIN_BY_CHANCE = 0.6, 1.0
"""The n rows searched are on a curve if their thinness (see `refined`) is below 0.6 − 1/√n."""

_SAME, _ROUNDING = 0.9, 1e-7


def thin_planes(points: ArrayLike, components: ArrayLike, guesses: ArrayLike) -> list[Matrix]:
    """Find planes in which the rows lie near a curve; return the rows' coordinates in each.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    components : array_like, shape (n, k·r)
        Columns to start from: several sets of r components each, for points that span r dimensions.
    guesses : array_like, shape (n, g)
        Further columns to start from, such as those that other attacks found.

    Returns
    -------
    list of ndarray, shape (n, 2)
        The rows' coordinates in each plane, the thinnest curve first; they may be rotated. Empty if
        chance explains all curves, or if the points cannot be searched (see Notes).

    Notes
    -----
    Points are searched if they span 2 to 100 dimensions and have enough rows: 50 distinct ones, and
    five for each dimension. At most 600 rows are searched; among these, the coordinates have mean 0
    and covariance 1.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    if not 1 < rank <= _MOST_AXES or rows < max(_ROWS_PER_AXIS * rank, _FEWEST_ROWS):
        return []
    white = coordinates / np.sqrt(variances)
    distinct = np.unique(np.round(white / _ROUNDING), axis=0, return_index=True)[1]
    # Equal rows would be at distance 0 in every plane, so only one of them is taken.
    chosen = np.random.default_rng(0).permutation(distinct)[:_ROWS]
    if len(chosen) < _FEWEST_ROWS:
        return []
    white = _whitened_by(white, chosen)
    if white.shape[1] < 2:
        return []
    sample = white[chosen]
    found = np.asarray(components, np.float64)
    runs = np.hsplit(found, found.shape[1] // rank)[:_MOST_RUNS] if found.shape[1] else []
    guessed = np.asarray(guesses, np.float64)
    guessed = white @ (white.T @ (guessed - guessed.mean(axis=0)))
    candidates = []
    for run in (*runs, guessed[:, guessed.std(axis=0) > 0][:, :_MOST_AXES]):
        candidates += _emptiest_pairs(run[chosen])
    candidates.sort(key=lambda each: each[0])
    least = _THIN - _THIN_BY_CHANCE / math.sqrt(len(sample))
    most = min(_MOST_TRIED, _TRIED // len(sample) ** 2)
    tried: list[Matrix] = []
    planes: list[tuple[float, Matrix]] = []
    for _, pair in candidates:
        if len(tried) == most:
            break
        start = nearest_axes(sample, pair)
        if any(_nearly_parallel(start, other) for other in tried):
            continue
        plane, thinness = refined(sample, start, _FEWEST_NEIGHBOURS, _SHIFTS)
        tried.append(plane)
        if thinness < least:
            planes.append((thinness, plane))
    planes.sort(key=lambda each: each[0])
    kept: list[Matrix] = []
    for _, plane in planes:
        if not any(_nearly_parallel(plane, other) for other in kept):
            kept.append(plane)
    return [np.asarray(white @ plane) for plane in kept]


def _whitened_by(points: Matrix, rows: NDArray[np.intp]) -> Matrix:
    """Transform all points so that the given rows have mean 0 and covariance 1.

    Directions in which these rows do not vary are dropped.
    """
    centred = points - points[rows].mean(axis=0)
    _, spreads, axes = np.linalg.svd(centred[rows] / math.sqrt(len(rows)), full_matrices=False)
    varies = spreads > _ROUNDING
    return np.asarray(centred @ (axes[varies].T / spreads[varies]))


def _emptiest_pairs(values: Matrix) -> list[tuple[float, Matrix]]:
    """Return pairs of columns in which rows occupy few cells of a grid, the fewest first.

    For each pair, return the share of cells that is occupied, and both columns, shape (n, 2).
    """
    rows, columns = values.shape
    cells = int(np.clip(math.sqrt(rows / _ROWS_PER_CELL), _FEWEST_CELLS, _MOST_CELLS))
    bins = values.argsort(axis=0).argsort(axis=0) * cells // rows
    marks = (bins[:, :, None] == np.arange(cells)).reshape(rows, -1).astype(np.float32)
    counts = (marks.T @ marks).reshape(columns, cells, columns, cells)
    occupied = (counts > 0).mean(axis=(1, 3))
    first, second = np.triu_indices(columns, 1)
    best = np.argsort(occupied[first, second], kind="stable")[:_MOST_TRIED]
    return [
        (float(occupied[first[each], second[each]]), values[:, [first[each], second[each]]])
        for each in best
    ]


def _nearly_parallel(first: Matrix, second: Matrix) -> bool:
    """Return whether two planes, given by their axes, are nearly parallel."""
    return float(np.linalg.svd(first.T @ second, compute_uv=False)[-1]) > _SAME
