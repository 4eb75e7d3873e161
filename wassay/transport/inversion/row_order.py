"""Read the order of rows: by which column a table was sorted, and where groups of rows end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of
from wassay.transport.pushing.normal_quantile import normal_quantile

Matrix = NDArray[np.float64]

_FEWEST_ROWS, _ROWS_PER_AXIS = 20, 5
"""Fewest rows, and fewest for each axis: with fewer, some combination follows the order by chance.
"""

_CHANCE = 24.0
"""A change is beyond chance if chance makes it with a probability below e⁻²⁴."""

_MOST_CHANGES, _ROUNDING = 12, 1e-9


@dataclass(frozen=True, eq=False)
class Change:
    """A boundary between two runs of rows.

    Attributes
    ----------
    boundary : float
        Share of all rows that come before the boundary.
    side : ndarray, shape (n,)
        −1 for rows of the run before the boundary, 1 for the run after it, 0 for all other rows.
    values : ndarray, shape (n,)
        For every row, the value of the linear function that separates the two runs best.
    ordered_share : float
        Pair every row of the first run with every row of the second. In this share of the pairs,
        the row of the first run has the smaller value.
    """

    boundary: float
    side: Matrix
    values: Matrix
    ordered_share: float


def row_numbers(rows: int) -> Matrix:
    """Return the row numbers; if the table was sorted by a column, they are the column's ranks.

    Parameters
    ----------
    rows : int

    Returns
    -------
    ndarray, shape (n, 1)
        Shape (n, 0) if there are fewer than 20 rows, which chance could order.
    """
    return np.arange(float(rows))[:, None][:, : int(rows >= _FEWEST_ROWS)]


def sorting_directions(points: ArrayLike) -> Matrix:
    """Return combinations of coordinates that follow the order of the rows.

    If the table was sorted by a column, one combination may be close to that column.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Rows in the order in which they are sent, after an unknown invertible affine map.

    Returns
    -------
    ndarray, shape (n, k)
        The rows' values of at most two combinations. No columns (k = 0) if chance explains both, or
        if there are too few rows.
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
    return np.asarray((white @ weights)[:, rows * explained > _chance_bound(rank)])


def runs_of_rows(points: ArrayLike) -> list[Change]:
    """Find where the mean of consecutive rows changes, as between groups of a sorted table.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Rows in the order in which they are sent, after an unknown invertible affine map.

    Returns
    -------
    list of Change
        The largest change first, then changes in the runs before and after it, and so on; at most
        twelve. Changes that chance explains are left out.
    """
    white = _whitened(points)
    rows, rank = white.shape
    fewest = max(_FEWEST_ROWS, _ROWS_PER_AXIS * rank)
    found: list[Change] = []
    runs = [(0, rows)]
    while runs and len(found) < _MOST_CHANGES:
        start, end = runs.pop(0)
        boundary = _change(white[start:end], fewest, rank)
        if boundary is not None:
            runs += [(start, start + boundary), (start + boundary, end)]
            found.append(_separated(white, start, start + boundary, end))
    return found


def _change(white: Matrix, fewest: int, rank: int) -> int | None:
    """Return after how many rows the mean changes most, with at least `fewest` rows on either side.

    `white` has the whitened rows of a run, in `rank` dimensions. Return None if chance explains the
    change, or if there are too few rows.
    """
    rows = len(white)
    sizes = np.arange(fewest, rows - fewest + 1)
    if not len(sizes):
        return None
    sums = np.cumsum(white - white.mean(axis=0), axis=0)[sizes - 1]
    changes = np.square(sums).sum(axis=1) * rows / (sizes * (rows - sizes))
    best = int(changes.argmax())
    return int(sizes[best]) if changes[best] > _chance_bound(rank) else None


def _separated(white: Matrix, start: int, boundary: int, end: int) -> Change:
    """Describe the boundary between the rows start … boundary − 1 and boundary … end − 1.

    `white` has all rows, whitened.
    """
    before, after = white[start:boundary], white[boundary:end]
    centred = np.vstack([before - before.mean(axis=0), after - after.mean(axis=0)])
    spread = centred.T @ centred / len(centred)
    spread += _ROUNDING * np.trace(spread) * np.eye(len(spread))
    # Fisher's linear discriminant.
    values = white @ np.linalg.solve(spread, after.mean(axis=0) - before.mean(axis=0))
    side = np.zeros(len(white))
    side[start:boundary], side[boundary:end] = -1, 1
    ranks = np.argsort(np.argsort(values[start:end]))[boundary - start :]
    pairs = len(before) * len(after)
    ordered_share = float(ranks.sum() - len(after) * (len(after) - 1) / 2) / pairs
    return Change(boundary / len(white), side, values, ordered_share)


def _chance_bound(rank: int) -> float:
    """Return a bound that a χ² variable with `rank` degrees of freedom hardly ever exceeds."""
    # Exceeded with a probability below e⁻²⁴ (Laurent & Massart 2000, lemma 1).
    return rank + 2 * float(np.sqrt(rank * _CHANCE)) + 2 * _CHANCE


def _whitened(points: ArrayLike) -> Matrix:
    _, coordinates, variances = axes_of(points)
    return np.asarray(coordinates / np.sqrt(variances))
