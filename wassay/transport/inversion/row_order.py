"""What the order of rows tells: by what a table was sorted, and where one group ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of
from wassay.transport.pushing.quantiles import normal_quantile

Matrix = NDArray[np.float64]

_FEWEST_ROWS, _ROWS_PER_AXIS = 20, 5
"""With fewer rows, columns follow their numbers by chance, or some combination of them does."""

_CHANCE = 24.0
"""Chance exceeds the bounds below once in e²⁴ tries."""

_MOST_CHANGES, _ROUNDING = 12, 1e-9


@dataclass(frozen=True, eq=False)
class Change:
    """A place between two runs of rows.

    Attributes
    ----------
    place : float
        The share of all rows that are before it.
    side : ndarray, shape (n,)
        −1 for rows of the run before, 1 for those of the run after, 0 for all others.
    values : ndarray, shape (n,)
        The linear function of the points that tells the two runs apart best.
    right : float
        The share of pairs, one row of either run, that it puts in the right order.
    """

    place: float
    side: Matrix
    values: Matrix
    right: float


def row_numbers(rows: int) -> Matrix:
    """Return the numbers of rows, which are the ranks of the column that a table is sorted by.

    Parameters
    ----------
    rows : int

    Returns
    -------
    ndarray, shape (n, 1)
        No columns, shape (n, 0), if so few rows follow a column by chance.
    """
    return np.arange(float(rows))[:, None][:, : int(rows >= _FEWEST_ROWS)]


def sorting_directions(points: ArrayLike) -> Matrix:
    """Return the combinations of coordinates that follow the order of the rows most closely.

    In a table that was sorted by a column, or grew over time, the number of a row follows the
    column. Least squares find the direction that follows the row's number, and its normal score.

    Parameters
    ----------
    points : array_like, shape (n, d)
        In the order in which they are sent, up to an unknown invertible affine map.

    Returns
    -------
    ndarray, shape (n, k)
        No columns (k = 0) if none follows the order better than by chance, or if there are too few
        rows.
    """
    white = _whitened(points)
    rows, rank = white.shape
    if rows < max(_FEWEST_ROWS, _ROWS_PER_AXIS * rank):
        return np.empty((rows, 0))
    levels = (np.arange(rows) + 0.5) / rows
    targets = np.column_stack([levels, normal_quantile(levels)])
    targets -= targets.mean(axis=0)
    targets /= np.linalg.norm(targets, axis=0)
    weights = white.T @ targets
    explained = np.square(weights).sum(axis=0) / rows  # R²
    return np.asarray((white @ weights)[:, rows * explained > _chance(rank)])


def runs_of_rows(points: ArrayLike) -> list[Change]:
    """Find where the mean of the rows changes, in their order, as between groups of a sorted table.

    Parameters
    ----------
    points : array_like, shape (n, d)
        In the order in which they are sent, up to an unknown invertible affine map.

    Returns
    -------
    list of Change
        The largest change of all rows first, then those of the rows on either side of it.
    """
    white = _whitened(points)
    rows, rank = white.shape
    fewest = max(_FEWEST_ROWS, _ROWS_PER_AXIS * rank)
    found: list[Change] = []
    runs = [(0, rows)]
    while runs and len(found) < _MOST_CHANGES:
        start, end = runs.pop(0)
        place = _change(white[start:end], fewest, rank)
        if place is not None:
            runs += [(start, start + place), (start + place, end)]
            found.append(_told_apart(white, start, start + place, end))
    return found


def _change(white: Matrix, fewest: int, rank: int) -> int | None:
    """Return where the mean of rows changes most, or None if by no more than chance."""
    rows = len(white)
    sizes = np.arange(fewest, rows - fewest + 1)
    if not len(sizes):
        return None
    sums = np.cumsum(white - white.mean(axis=0), axis=0)[sizes - 1]
    changes = np.square(sums).sum(axis=1) * rows / (sizes * (rows - sizes))
    best = int(changes.argmax())
    return int(sizes[best]) if changes[best] > _chance(rank) else None


def _told_apart(white: Matrix, start: int, place: int, end: int) -> Change:
    """Return the linear function that tells two runs apart best (Fisher's discriminant)."""
    before, after = white[start:place], white[place:end]
    centred = np.vstack([before - before.mean(axis=0), after - after.mean(axis=0)])
    spread = centred.T @ centred / len(centred)
    spread += _ROUNDING * np.trace(spread) * np.eye(len(spread))
    values = white @ np.linalg.solve(spread, after.mean(axis=0) - before.mean(axis=0))
    side = np.zeros(len(white))
    side[start:place], side[place:end] = -1, 1
    ranks = np.argsort(np.argsort(values[start:end]))[place - start :]
    pairs = len(before) * len(after)
    right = float(ranks.sum() - len(after) * (len(after) - 1) / 2) / pairs
    return Change(place / len(white), side, values, right)


def _chance(rank: int) -> float:
    """Return what a χ² of `rank` degrees exceeds once in e²⁴ times (Laurent & Massart 2000)."""
    return rank + 2 * float(np.sqrt(rank * _CHANCE)) + 2 * _CHANCE


def _whitened(points: ArrayLike) -> Matrix:
    _, coordinates, variances = axes_of(points)
    return np.asarray(coordinates / np.sqrt(variances))
