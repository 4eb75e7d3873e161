"""Find columns that held whole numbers before an affine map, such as a rotation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]
Integers = NDArray[np.int64]

_MOST_AXES = 32
"""The most dimensions that are searched: 36 would take some seconds."""

_FEWEST_IN_BASIS, _FEWEST_TO_CHECK = 4, 8
# The weight is raised in stages: rounding errors would spoil a reduction that began with the last.
_STAGES = (1e2, 1e4, 1e6, 1e8)
"""Weights of the deviations from whole numbers, beside a weight of 1 for the sizes of vectors."""

_WHOLE = 1e-3

# If one row is an outlier, the values of all other rows are so small that they round to one number.
_FEWEST_OTHERS = 4
"""A combination counts if at least this many rows do not have its most frequent value."""

_MOST_STEPS, _LOVASZ = 100_000, 0.99


def integer_combinations(points: ArrayLike, seed: int = 0) -> Matrix:
    """Find linear combinations of coordinates that are whole numbers in every row.

    A column that holds multiples of one step is such a combination, whatever affine map made the
    points.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    seed : int
        Seed for choosing the rows to start from.

    Returns
    -------
    ndarray of whole numbers, shape (n, c)
        The values of c combinations, with any sign and origin: mostly the records' columns, or sums
        and differences of correlated columns. No columns (c = 0) if none is found, or if the points
        cannot be searched (see Notes).

    Notes
    -----
    Points are searched if they span r = 1 to 32 dimensions and have 9 + r + max(r, 4) rows or more.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    further = max(rank, _FEWEST_IN_BASIS)
    none = np.empty((rows, 0))
    if not 0 < rank <= _MOST_AXES or rows < 1 + rank + further + _FEWEST_TO_CHECK:
        return none
    differences = (coordinates - coordinates[0]) / np.sqrt(variances)
    sample = 1 + np.random.default_rng(seed).permutation(rows - 1)[: 4 * (rank + further)]
    # A combination is determined by its values in r rows that span all others. These values must be
    # whole, and so must those of all further rows.
    basis = sample[_independent(differences[sample])]
    values = np.linalg.solve(differences[basis].T, differences.T).T
    further_rows = np.setdiff1d(sample, basis)[:further]
    small = _small_whole_numbers(values[further_rows])
    if small is None:
        return none
    found = values @ small.T
    whole = np.round(found)
    kept = (np.abs(found - whole).max(axis=0) < _WHOLE) & whole.any(axis=0)
    if not kept.any():
        return none
    whole = whole[:, kept]
    short = _short_combinations(
        np.eye(whole.shape[1], dtype=np.int64), (whole - whole.mean(axis=0)).T
    )
    if short is None:
        return none
    # The rows that were not used show whether a combination is due to chance.
    columns = np.asarray(whole @ short.T)
    checked = np.delete(columns, [0, *basis, *further_rows], axis=0)
    return columns[:, [count_others(column) >= _FEWEST_OTHERS for column in checked.T]]


def count_others(values: Matrix) -> int:
    """Return how many values differ from the most frequent one.

    Parameters
    ----------
    values : ndarray, shape (n,)

    Returns
    -------
    int
    """
    _, counts = np.unique(values, return_counts=True)
    return len(values) - int(counts.max())


def _independent(rows: Matrix) -> Integers:
    """Return the indices of d rows that span all `rows`, which have the shape (n, d)."""
    rest = rows.copy()
    chosen = np.empty(rows.shape[1], dtype=np.int64)
    # Choose the row farthest from the span of those chosen so far.
    for k in range(len(chosen)):
        chosen[k] = np.argmax(np.square(rest).sum(axis=1))
        axis = rest[chosen[k]] / np.linalg.norm(rest[chosen[k]])
        rest -= np.outer(rest @ axis, axis)
    return chosen


def _small_whole_numbers(values: Matrix) -> Integers | None:
    """Find vectors w of small whole numbers for which ``values @ w`` is nearly whole.

    Parameters
    ----------
    values : ndarray, shape (k, d)

    Returns
    -------
    ndarray of int, shape (k + d, d), or None
        A candidate w in each row. None if the reduction takes too long.
    """
    further, rank = values.shape
    whole: Integers | None = np.eye(rank + further, dtype=np.int64)
    for weight in _STAGES:
        vectors = np.block(
            [
                [np.eye(rank), weight * values.T],
                [np.zeros((further, rank)), -weight * np.eye(further)],
            ]
        )
        if whole is None:
            return None
        whole = _short_combinations(whole, vectors)
    return None if whole is None else whole[:, :rank]


def _short_combinations(whole: Integers, vectors: Matrix) -> Integers | None:
    """Find vectors w of whole numbers for which ``w @ vectors`` is short.

    Start from the rows of `whole`; return one w in each row, or None if the search takes too long.
    """
    # Lattice reduction (Lenstra, Lenstra & Lovász 1982).
    whole, k = whole.copy(), 1
    triangle: Matrix = np.asarray(np.linalg.qr((whole @ vectors).T, mode="r"))
    diagonal = triangle.diagonal()
    for _ in range(_MOST_STEPS):
        if k >= len(whole):
            return whole
        j = k
        while True:
            times = np.rint(triangle[:j, k] / diagonal[:j])
            (nonzero,) = times.nonzero()
            if not nonzero.size:
                break
            j = int(nonzero[-1])
            whole[k] -= int(times[j]) * whole[j]
            triangle[: j + 1, k] -= times[j] * triangle[: j + 1, j]
        above, beside, below = triangle[k - 1, k - 1], triangle[k - 1, k], triangle[k, k]
        if below**2 + beside**2 >= _LOVASZ * above**2:
            k += 1
            continue
        pair, swapped = [k - 1, k], [k, k - 1]
        whole[pair] = whole[swapped]
        triangle[:, pair] = triangle[:, swapped]
        length = np.hypot(beside, below)
        rotation = np.array([[beside, below], [-below, beside]]) / length
        triangle[pair] = rotation @ triangle[pair]
        triangle[k, k - 1] = 0
        k = max(1, k - 1)
    return None
