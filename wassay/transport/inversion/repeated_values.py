"""Find columns that take only few values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]

_ROWS_PER_AXIS = 2
"""The fewest rows for each axis: with fewer, any labels are nearly linear in the points."""

_MOST_LEVELS, _FREQUENCIES = 12, 120
_SAMPLE = 400
"""The number of rows from which the distance between levels is estimated."""

_ROUNDS, _LINEAR = 8, 1e-6
"""Rounds of the search, and the largest error of an exact fit, as a share of the levels' range."""


_STEPS, _PHASES = (0.6, 0.72, 0.84, 0.96, 1.08, 1.2), (0.0, 0.5)
"""For rough components: distances between levels to try, in standard deviations, and offsets."""

_ROUGH_ROWS, _ROUGH_ROUNDS, _PRODUCTS = 400, 12, 30_000_000
"""Limits on the rows, the rounds, and tries × rows × axes for rough components."""


def repeated_values(
    points: ArrayLike, components: ArrayLike, rough: ArrayLike | None = None
) -> Matrix:
    """From approximate components, recover exactly the columns that take few equidistant values.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    components : array_like, shape (n, c)
        Approximate columns, such as principal and independent components.
    rough : array_like, shape (n, q), optional
        Components that may be far from any column, to try as well.

    Returns
    -------
    ndarray, shape (n, k)
        The columns as integers: how many steps each value is above the lowest, or below the
        highest. No columns (k = 0) if none is found or there are too few rows.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    if rows < _ROWS_PER_AXIS * (rank + 1):
        return np.empty((rows, 0))
    white = coordinates / np.sqrt(variances * rows)
    found: list[Matrix] = []
    guesses = list(np.asarray(components, np.float64).T)
    # Such a column is a linear function of the points. Two steps alternate: guess the values, and
    # fit a linear function to them. An exact fit proves the guess: if there are more rows than
    # axes, wrong values are hardly ever linear.
    columns = [_column_near(component, white) for component in guesses]
    if rough is not None:
        columns += _columns_from_rough(np.asarray(rough, np.float64), white)
    for levels in columns:
        if levels is not None and not any(_same_levels(levels, other) for other in found):
            found.append(levels)
    return np.array(found).T if found else np.empty((rows, 0))


def _column_near(component: Matrix, white: Matrix) -> Matrix | None:
    """Return the column of integers that a component approximates, or None if there is none.

    `white` has the whitened points, with columns of norm 1.
    """
    extent = float(np.ptp(component))
    if extent == 0:
        return None
    fitted = (component - component.min()) / extent
    fitted = _in_steps(fitted)
    levels = np.round(fitted)
    for _ in range(_ROUNDS):
        fitted = levels.mean() + white @ (white.T @ levels)
        closer = np.round(fitted)
        if np.array_equal(closer, levels):
            break
        levels = closer
    if np.ptp(levels) == 0 or np.abs(fitted - levels).max() > _LINEAR * max(1.0, np.ptp(levels)):
        return None
    return np.asarray(levels - levels.min())


def _columns_from_rough(components: Matrix, white: Matrix) -> list[Matrix]:
    """Find columns of integers, starting from components that may be far from any column.

    `white` has the whitened points, with columns of norm 1.
    """
    rows, rank = white.shape
    spreads = components.std(axis=0)
    components = components[:, spreads > 0] / spreads[spreads > 0]
    chosen = np.random.default_rng(0).permutation(rows)[: max(_ROUGH_ROWS, 4 * rank)]
    some = np.linalg.qr(np.hstack([white[chosen], np.ones((len(chosen), 1))]))[0]
    most = max(1, _PRODUCTS // (some.size * len(_STEPS) * len(_PHASES)))
    tried = components[np.ix_(chosen, np.arange(min(most, components.shape[1])))]
    levels = np.hstack([np.round(tried / step + at) for step in _STEPS for at in _PHASES])
    # Search on a sample of the rows.
    exact: list[Matrix] = []
    for _ in range(_ROUGH_ROUNDS):
        fitted = some @ (some.T @ levels)
        linear = np.abs(fitted - levels).max(axis=0) < _LINEAR
        exact += list(levels[:, linear & (np.ptp(levels, axis=0) > 0)].T)
        closer = np.round(fitted)
        levels = closer[:, ~linear & (closer != levels).any(axis=0)]
    found: list[Matrix] = []
    # Check on all rows.
    for each in exact:
        combination = np.linalg.lstsq(
            np.hstack([white[chosen], np.ones((len(chosen), 1))]), each, rcond=None
        )[0]
        fitted = np.hstack([white, np.ones((rows, 1))]) @ combination
        whole = np.round(fitted)
        if np.abs(fitted - whole).max() < _LINEAR:
            whole -= whole.min()
            found.append(whole / np.gcd.reduce(whole.astype(np.int64)))
    return found


def _in_steps(unit: Matrix) -> Matrix:
    """Scale and shift values in [0, 1] so that they are near to integers, without rounding."""
    sample = unit[:: max(1, len(unit) // _SAMPLE)]
    # The scales to try; the largest is the limit on steps from the lowest to the highest value.
    frequencies = np.linspace(0.5, _MOST_LEVELS, _FREQUENCIES)
    waves = np.exp(2j * np.pi * np.outer(frequencies, sample)).mean(axis=1)
    best = int(np.abs(waves).argmax())
    phase = float(np.angle(waves[best])) / (2 * np.pi)
    return np.asarray(unit * frequencies[best] - phase)


def _same_levels(first: Matrix, second: Matrix) -> bool:
    return np.array_equal(first, second) or np.array_equal(first, second.max() - second)
