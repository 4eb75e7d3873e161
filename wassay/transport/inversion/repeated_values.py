"""Find columns with few values, which put the points on parallel planes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]

_ROWS_PER_AXIS = 2
"""The fewest rows for each axis: with fewer, any labels are nearly linear in the points."""

_MOST_LEVELS, _FREQUENCIES = 12, 120
_SAMPLE = 400
"""Rows in which the distance of the levels is sought."""

_ROUNDS, _LINEAR = 8, 1e-6
"""A column is found if levels are linear in the points up to this share of their distance."""


def repeated_values(points: ArrayLike, components: ArrayLike) -> Matrix:
    """Compute exactly the columns that take few equidistant values, from approximate components.

    Such a column is a linear function of the points that takes few values, also after a rotation.
    From a component that approximates the column, levels are guessed and a linear function is
    fitted to them, in turns. An exact fit proves the guess: with more rows than axes, wrong levels
    are hardly ever a linear function of the points.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Up to an unknown similarity, or any other invertible affine map.
    components : array_like, shape (n, c)
        For example principal and independent components.

    Returns
    -------
    ndarray, shape (n, k)
        Integers: each value's number of steps from the lowest, or from the highest.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    if rows < _ROWS_PER_AXIS * (rank + 1):
        return np.empty((rows, 0))
    white = coordinates / np.sqrt(variances * rows)
    found: list[Matrix] = []
    for component in np.asarray(components, np.float64).T:
        levels = _levels_of(component, white)
        if levels is not None and not any(_same(levels, other) for other in found):
            found.append(levels)
    return np.array(found).T if found else np.empty((rows, 0))


def _levels_of(component: Matrix, white: Matrix) -> Matrix | None:
    """Return the levels that a component leads to, or None if none are linear in the points."""
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


def _in_steps(unit: Matrix) -> Matrix:
    """Scale and shift values in [0, 1] so that they come nearest to integers."""
    sample = unit[:: max(1, len(unit) // _SAMPLE)]
    frequencies = np.linspace(0.5, _MOST_LEVELS, _FREQUENCIES)
    waves = np.exp(2j * np.pi * np.outer(frequencies, sample)).mean(axis=1)
    best = int(np.abs(waves).argmax())
    phase = float(np.angle(waves[best])) / (2 * np.pi)
    return np.asarray(unit * frequencies[best] - phase)


def _same(first: Matrix, second: Matrix) -> bool:
    return np.array_equal(first, second) or np.array_equal(first, second.max() - second)
