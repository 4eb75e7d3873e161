"""Find columns of normal scores: they are closer to a normal distribution than any mixture."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]

# With fewer terms, chance makes some direction as close to normal as normal scores are.
_ROWS_PER_TERM, _MOST_TERMS, _TERMS_PER_AXIS = 16, 40, 5
"""Rows for each term of the test of normality, the most terms, and the fewest for each axis."""
_BROAD, _FINE = 8, 20
"""Terms of the first two searches: with more terms, a search ends well only from nearer starts."""

_STEPS = (10, 8, 8)
_STARTED_ROWS, _MOST_STARTS = 64_000, 128
"""Limits on random starts × rows, and on random starts. A receiver can try more."""

# Of 42 clouds of 300 to 2,000 normal points, none had a share below 0.09 along any direction.
_MORE_NORMAL = 0.07
"""A direction counts if its sum of squared terms is below this share of the mean for random
samples."""

_SAME, _NEAR = 0.95, 0.98

_GRID = np.linspace(-8.0, 8.0, 8193)
_LEVELS = np.array([math.erfc(-y / math.sqrt(2)) / 2 for y in _GRID])


def most_normal_components(points: ArrayLike, guesses: ArrayLike, seed: int = 0) -> Matrix:
    """Find components that are closer to a normal distribution than a random normal sample is.

    Columns of normal scores (normal quantiles of ranks) are such components. Mixtures of them are
    not.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    guesses : array_like, shape (n, c)
        Further columns to start from, such as those that other attacks found.
    seed : int
        Seed of the random starts.

    Returns
    -------
    ndarray, shape (n, k)
        Components in any order, and with any sign and scale. No columns (k = 0) if none is found,
        or if there are too few points.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    terms = min(_MOST_TERMS, rows // _ROWS_PER_TERM)
    if terms < _TERMS_PER_AXIS * rank:
        return np.empty((rows, 0))
    white = coordinates / np.sqrt(variances)
    random = np.random.default_rng(seed)
    count = min(_MOST_STARTS, _STARTED_ROWS // rows)
    guessed = np.asarray(guesses, np.float64)
    guessed = (guessed - guessed.mean(axis=0)).T @ white
    starts = np.vstack([guessed, random.normal(size=(count, rank))])
    lengths = np.linalg.norm(starts, axis=1)
    axes = (starts / np.where(lengths > 0, lengths, 1.0)[:, None])[lengths > 0]
    # Neyman's smooth test of normality (1937) sums squares of terms. The sum is nearly 0 for normal
    # scores. For a random sample, its mean is the number of terms.
    for number, steps in zip((min(_BROAD, terms), min(_FINE, terms), terms), _STEPS, strict=True):
        if not len(axes):
            break
        axes, excess = _descended(white, axes, number, steps)
        kept = _distinct(axes, excess, _NEAR if number < terms else _SAME)
        kept = kept[: max(len(guessed), len(kept) // 4, 4 * rank)]
        axes, excess = axes[kept], excess[kept]
    found = axes[excess < _MORE_NORMAL * terms] if len(axes) else axes
    return np.asarray(white @ found.T)


def _descended(white: Matrix, axes: Matrix, terms: int, steps: int) -> tuple[Matrix, Matrix]:
    """Turn the directions `axes` so that the coordinates along each become more normal.

    After `steps` steps, return each new direction, and the sum of squares of the first `terms`
    terms of Neyman's test.
    """
    # The Levenberg–Marquardt method. A step that does not lower the sum of squares is dropped.
    rank = axes.shape[1]
    identity = np.eye(rank)
    damping = np.full(len(axes), 0.1)
    values, slopes = _terms(white, axes, terms)
    sums = np.square(values).sum(axis=1)
    for _ in range(steps):
        outer = axes[:, :, None] * axes[:, None, :]
        along = slopes @ (identity - outer)  # directions have length 1, so move on the sphere
        square = np.swapaxes(along, 1, 2) @ along
        scale = np.trace(square, axis1=1, axis2=2) / rank
        square += (damping * scale + 1e-9)[:, None, None] * identity
        square += (scale + 1)[:, None, None] * outer
        slope = np.swapaxes(along, 1, 2) @ values[..., None]
        moved = axes - np.linalg.solve(square, slope)[..., 0]
        moved /= np.linalg.norm(moved, axis=1, keepdims=True)
        new_values, new_slopes = _terms(white, moved, terms)
        new_sums = np.square(new_values).sum(axis=1)
        less = new_sums < sums
        axes, sums = np.where(less[:, None], moved, axes), np.where(less, new_sums, sums)
        values = np.where(less[:, None], new_values, values)
        slopes = np.where(less[:, None, None], new_slopes, slopes)
        damping = np.where(less, 0.3 * damping, 4 * damping)
    return axes, sums


def _terms(white: Matrix, axes: Matrix, terms: int) -> tuple[Matrix, Matrix]:
    """Return the first `terms` terms of Neyman's test for each axis, and the gradient of each term.

    The shapes are (axes, terms) and (axes, terms, d).
    """
    # The k-th term is √(2/n)·Σ_y cos(kπ·Φ(y)), with the normal distribution function Φ. The sum is
    # over the n coordinates y along the direction.
    along = white @ axes.T
    angle = np.pi * np.interp(along, _GRID, _LEVELS)
    cosine, sine = np.cos(angle), np.sin(angle)
    density = np.sqrt(np.pi / 2) * np.exp(-np.square(along) / 2)  # π times the normal density
    scale = math.sqrt(2 / len(white))
    values = np.empty((len(axes), terms))
    slopes = np.empty((len(axes), terms, axes.shape[1]))
    before, current = (np.ones_like(angle), np.zeros_like(angle)), (cosine, sine)
    for k in range(1, terms + 1):
        values[:, k - 1] = scale * current[0].sum(axis=0)
        slopes[:, k - 1] = -scale * k * ((current[1] * density).T @ white)
        after = (2 * cosine * current[0] - before[0], 2 * cosine * current[1] - before[1])
        before, current = current, after
    return values, slopes


def _distinct(axes: Matrix, sums: Matrix, most: float) -> list[int]:
    """Return the indices of distinct directions, the one with the lowest of `sums` first.

    Of two directions with an absolute cosine of at least `most`, only the first is kept.
    """
    kept: list[int] = []
    for index in np.argsort(sums):
        if not kept or float(np.abs(axes[kept] @ axes[index]).max()) < most:
            kept.append(int(index))
    return kept
