"""Find columns of integers, whose rows lie on a lattice even after a rotation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.column_match import step_of
from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]
Integers = NDArray[np.int64]

_MOST_AXES = 24
"""The most vectors in a basis: reducing more takes too long for an audit, not for an attacker."""

# The differences between the rows used must span the lattice.
_FURTHER, _FEWEST_FURTHER = 16, 8
"""Rows that are used besides one for each axis, and the fewest that must exist."""

_MOST_STEPS, _WHOLE = (1e6, 1e8, 1e10), 0.1
_MOST_EXCHANGES, _LOVASZ = 20_000, 0.99
_HALF = 0.5 + 1e-6
"""Slightly more than a half, because exact halves could be rounded up and down without end."""


@dataclass(frozen=True, eq=False)
class LatticeReading:
    """Columns of integers that were read off a lattice.

    Attributes
    ----------
    columns : ndarray, shape (n, c)
        Integers. Their order, signs and origins are arbitrary.
    step : float
        Length of one step, in the units of the points.
    """

    columns: Matrix
    step: float


def integer_columns(points: ArrayLike, seed: int = 0) -> LatticeReading | None:
    """Find columns that hold multiples of one common step.

    This works for up to about twenty columns.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown similarity.
    seed : int
        Seed for choosing the rows to compare.

    Returns
    -------
    LatticeReading or None
        None if no such columns are found in time, or if the points are too few or span more than 24
        dimensions.
    """
    _, coordinates, _ = axes_of(points)
    rows, rank = coordinates.shape
    if not 0 < rank <= _MOST_AXES or rows < rank + _FEWEST_FURTHER:
        return None
    differences = coordinates - coordinates[0]
    chosen = np.random.default_rng(seed).permutation(rows)[: rank + _FURTHER]
    # A rotation keeps the inner products of differences between rows. If the columns are integers,
    # so are these: their greatest common divisor is the squared step. All further arithmetic is
    # exact. LLL reduction (Lenstra, Lenstra & Lovász 1982) finds short integer combinations of the
    # differences, which point along the columns' axes.
    products = differences[chosen] @ differences.T
    square = _common_step(products, products[:, chosen])
    if square is None:
        return None
    whole = np.round(products / square)
    reduced = _reduced_gram(whole[:, chosen].astype(np.int64), whole.astype(np.int64))
    if reduced is None or len(reduced[0]) != rank:
        return None
    gram, along = reduced
    return LatticeReading(np.round(np.linalg.solve(gram, along)).T, float(np.sqrt(square)))


def _common_step(products: Matrix, few: Matrix) -> float | None:
    """Return the largest number that divides all inner products; None if there is none.

    `products` has the inner products of some rows with all rows; `few` has those of the same rows
    with each other.
    """
    for most in _MOST_STEPS:
        step = step_of(np.append(few.ravel(), 0.0), most)
        if step is not None and np.abs(products / step - np.round(products / step)).max() < _WHOLE:
            return step
    return None


def _reduced_gram(gram: Integers, along: Integers) -> tuple[Integers, Integers] | None:
    """Replace vectors by short combinations of them (LLL); drop vectors that depend on others.

    Parameters
    ----------
    gram : ndarray of int, shape (k, k)
        Inner products of the vectors with each other.
    along : ndarray of int, shape (k, n)
        Inner products of the vectors with all rows.

    Returns
    -------
    tuple of ndarray, or None
        `gram` and `along` of the short vectors. None if the reduction takes too long.
    """
    gram, along = gram[np.ix_(keep := np.flatnonzero(np.diagonal(gram)), keep)], along[keep]
    k = 1
    for _ in range(_MOST_EXCHANGES):
        if k >= len(gram):
            return gram, along
        lengths, parts = _size_reduce(gram, along, k)
        if gram[k, k] == 0:
            gram = np.delete(np.delete(gram, k, axis=0), k, axis=1)
            along = np.delete(along, k, axis=0)
            k = max(1, k - 1)
        elif gram[k, k] - parts[:-1] @ parts[:-1] >= _LOVASZ * lengths[-1] ** 2:
            k += 1
        else:
            pair, swapped = [k - 1, k], [k, k - 1]
            gram[pair] = gram[swapped]
            gram[:, pair] = gram[:, swapped]
            along[pair] = along[swapped]
            k = max(1, k - 1)
    return None


def _size_reduce(gram: Integers, along: Integers, k: int) -> tuple[Matrix, Matrix]:
    """Shorten the k-th vector by integer multiples of the vectors before it, in place.

    `gram` and `along` are those of `_reduced_gram`; both are changed.

    Returns
    -------
    lengths : ndarray, shape (k,)
        For each earlier vector: the length of its part that is orthogonal to all vectors before it.
    parts : ndarray, shape (k,)
        Coordinates of the shortened k-th vector along these orthogonal parts.
    """
    triangle = np.linalg.cholesky(gram[:k, :k].astype(np.float64))
    lengths = np.asarray(np.diagonal(triangle))
    while True:
        parts = np.asarray(np.linalg.solve(triangle, gram[:k, k].astype(np.float64)))
        rest, changed = parts.copy(), False
        for j in range(k - 1, -1, -1):
            ratio = rest[j] / lengths[j]
            if abs(ratio) > _HALF:
                times = round(ratio)
                rest[: j + 1] -= times * triangle[j, : j + 1]
                gram[k] -= times * gram[j]
                gram[:, k] -= times * gram[:, j]
                along[k] -= times * along[j]
                changed = True
        if not changed:
            return lengths, np.asarray(parts, dtype=np.float64)
