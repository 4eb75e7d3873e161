"""Find directions along which the points of an upload lie near a curve or a surface.

A search refines two or three given directions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

_ROUNDS = 4
_NEIGHBOURS = 1 / 60
"""The share of rows over which a curve or a surface is smoothed."""
_BLOCK_PAIRS = 2**15
"""How many distances are computed at a time."""


def refined(
    white: Matrix, axes: Matrix, fewest_neighbours: int, shifts: Sequence[float]
) -> tuple[Matrix, float]:
    """Refine directions; return those along which the rows are nearest to a curve or surface.

    Parameters
    ----------
    white : ndarray, shape (n, d)
        Rows with covariance 1, in random order.
    axes : ndarray, shape (d, k)
        Orthonormal directions to start from.
    fewest_neighbours : int
        Fewest rows over which the curve or surface is smoothed.
    shifts : sequence of float
        One number x for each shuffled copy of the rows, with which the thinness is compared. In a
        copy, column j = 0, 1, … is shifted cyclically by x·j/3 of its length.

    Returns
    -------
    axes : ndarray, shape (d, k)
        Orthonormal.
    thinness : float
        Median distance of a row from the nearest other row, relative to that in the shuffled
        copies. Only the ranks of coordinates count.
    """
    count = max(fewest_neighbours, int(_NEIGHBOURS * len(white)))
    best, kept = math.inf, axes
    # Each row moves to the mean of its neighbours, and the directions become those along which the
    # rows are nearest to the moved ones.
    for _ in range(_ROUNDS + 1):
        along = white @ axes
        thinness = _thinness(along, shifts)
        if thinness < best:
            kept, best = axes, thinness
        axes = nearest_axes(white, _smoothed(along, count))
    return kept, best


def nearest_axes(white: Matrix, values: Matrix) -> Matrix:
    """Return orthonormal directions along which the rows' coordinates are nearest to `values`.

    `values` has a column for each direction.
    """
    left, _, right = np.linalg.svd(white.T @ (values - values.mean(axis=0)), full_matrices=False)
    return np.asarray(left @ right)


def _smoothed(along: Matrix, count: int) -> Matrix:
    """Replace each row by the mean of the `count` rows nearest to it, including itself."""
    means = np.empty_like(along)
    for rows, squares in _distances(along):
        neighbours = np.argpartition(squares, count, axis=1)[:, :count]
        means[rows] = along[neighbours].mean(axis=1)
    return means


def _thinness(along: Matrix, shifts: Sequence[float]) -> float:
    """Return the median distance of a row from the nearest other row, relative to chance.

    `along` has coordinates of rows in random order; `shifts` are those of `refined`.
    """
    levels = along.argsort(axis=0).argsort(axis=0) / len(along)
    third = max(1, len(along) // 3)
    # Rows are in random order, so rotating a column shuffles it.
    shuffled = [
        _median_to_nearest(
            np.column_stack(
                [np.roll(each, place * int(third * shift)) for place, each in enumerate(levels.T)]
            )
        )
        for shift in shifts
    ]
    return _median_to_nearest(levels) * len(shuffled) / sum(shuffled)


def _median_to_nearest(along: Matrix) -> float:
    nearest = np.empty(len(along))
    for rows, squares in _distances(along):
        squares[np.arange(len(rows)), rows] = np.inf
        nearest[rows] = squares.min(axis=1)
    return math.sqrt(float(np.median(nearest)))


def _distances(along: Matrix) -> Iterator[tuple[NDArray[np.intp], Matrix]]:
    """Yield the indices of a few rows at a time, and their squared distances from all rows."""
    coordinates = np.ascontiguousarray(along.T)
    # The distances of a few rows fit into a processor's cache, which halves the time.
    count = max(1, _BLOCK_PAIRS // len(along))
    for rows in np.split(np.arange(len(along)), range(count, len(along), count)):
        squares = np.zeros((len(rows), len(along)))
        for each in coordinates:
            differences = each[rows, None] - each
            squares += np.square(differences, out=differences)
        yield rows, squares
