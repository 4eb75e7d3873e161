"""Discrete probability measures: finitely many weighted points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import InvalidMeasure
from wassay.transport.frames import require_no_row_names
from wassay.transport.masks import require_unmasked_measure

MASS_TOLERANCE = 1e-9
"""How far from one the weights may sum; more than rounding is refused, never rescaled."""

FLOAT32_MASS_TOLERANCE = 1e-6
"""The same of weights in float32, which are divided by their sum in float64."""

SMALLEST_EXTENT = 1e-140
"""Points nearer to the origin than this have squared distances that float64 cannot hold."""


@dataclass(frozen=True, eq=False, init=False)
class Measure:
    """A probability measure Σ a_i δ_{x_i} on R^d.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Real and finite; n and d at least one. Kept as read-only, C-contiguous float64. A data
        frame must have no column that names the rows.
    weights : array_like, shape (n,), optional
        Non-negative, summing to one within 1e-9, or within 1e-6 where they are float32. Uniform
        when left out.

    Raises
    ------
    InvalidMeasure
        Names the first bad entry and what was expected of it.
    """

    points: NDArray[np.float64]
    weights: NDArray[np.float64]

    def __init__(self, points: ArrayLike, weights: ArrayLike | None = None) -> None:
        checked_points = _points(points)
        size = len(checked_points)
        checked_weights = np.full(size, 1 / size) if weights is None else as_weights(weights, size)
        checked_weights.flags.writeable = False
        object.__setattr__(self, "points", checked_points)
        object.__setattr__(self, "weights", checked_weights)

    @property
    def size(self) -> int:
        """Number of points, n."""
        return len(self.points)

    @property
    def dimension(self) -> int:
        """Dimension of the space, d."""
        return int(self.points.shape[1])

    @property
    def mean(self) -> NDArray[np.float64]:
        """Σ a_i x_i, shape (d,)."""
        mean: NDArray[np.float64] = self.weights @ self.points
        return mean


def as_weights(weights: ArrayLike, size: int) -> NDArray[np.float64]:
    """Check `size` probability weights and return a float64 copy of them.

    Raises
    ------
    InvalidMeasure
        When the shape, the type, a value or the sum is not that of probability weights.
    """
    require_unmasked_measure(weights, "weights")
    given = _array(weights, "weights must be one list of numbers")
    if given.dtype.kind not in "fiu":
        raise InvalidMeasure(f"weights must be real numbers, got dtype {given.dtype}")
    if given.shape != (size,):
        raise InvalidMeasure(
            f"weights must have one entry a point, shape ({size},), got {given.shape}"
        )
    checked = np.array(given, dtype=np.float64, order="C")
    bad = ~np.isfinite(checked) | (checked < 0)
    if bad.any():
        index = int(np.argmax(bad))
        raise InvalidMeasure(
            f"weights must be finite and not negative, got {checked[index]} at index {index}", index
        )
    total = float(checked.sum())
    if total == 0:
        raise InvalidMeasure("weights must not all be zero: give at least one point some mass")
    in_float32 = given.dtype == np.float32
    tolerance = FLOAT32_MASS_TOLERANCE if in_float32 else MASS_TOLERANCE
    if abs(total - 1) > tolerance:
        raise InvalidMeasure(
            f"weights must sum to 1 within {tolerance:g}, got {total!r}: divide them by their "
            "sum before making a measure"
        )
    return checked / total if in_float32 else checked


def _array(values: ArrayLike, expected: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise InvalidMeasure(f"{expected}: {error}") from error


def _points(points: ArrayLike) -> NDArray[np.float64]:
    require_unmasked_measure(points, "points")
    given = _array(points, "points must have as many coordinates in every row")
    if given.dtype.kind not in "fiu":
        raise InvalidMeasure(
            f"points must be real numbers, got dtype {given.dtype}: convert them (astype(float))"
        )
    if given.ndim != 2 or 0 in given.shape:
        raise InvalidMeasure(
            "points must have shape (n, d) with at least one point and one coordinate, "
            f"got {given.shape}"
        )
    checked = np.array(given, dtype=np.float64, order="C")
    require_no_row_names(points, checked)
    bad = ~np.isfinite(checked)
    if bad.any():
        index = int(np.argmax(bad.any(axis=1)))
        column = int(np.argmax(bad[index]))
        raise InvalidMeasure(
            f"points must be finite, got {checked[index, column]} in row {index}, column {column}",
            index,
        )
    largest = float(np.abs(checked).max())
    if 0 < largest < SMALLEST_EXTENT:
        raise InvalidMeasure(
            f"points must have a coordinate of at least {SMALLEST_EXTENT:g}, or be all zero, got "
            f"{largest:g} as the largest: float64 rounds their squared distances to zero. Scale "
            "the points up, on both sides"
        )
    checked.flags.writeable = False
    return checked
