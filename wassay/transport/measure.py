"""Discrete probability measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import InvalidMeasure
from wassay.transport.frames import require_no_row_names
from wassay.transport.masks import require_unmasked_measure

MASS_TOLERANCE = 1e-9
"""Weights must sum to one within this; larger errors are rejected, never rescaled."""

FLOAT32_MASS_TOLERANCE = 1e-6
"""The tolerance for float32 weights, which are then divided by their sum in float64."""

SMALLEST_EXTENT = 1e-140
"""If all coordinates are smaller, float64 rounds squared distances to zero."""


@dataclass(frozen=True, eq=False, init=False)
class Measure:
    """A discrete probability measure Σ_i a_i δ_{x_i} on R^d.

    Parameters
    ----------
    points : array_like, shape (n, d)
        Points x_i, real and finite; n and d are at least 1. Unless all coordinates are 0, one must
        be at least 1e-140 in absolute value.
    weights : array_like, shape (n,), optional
        Weights a_i, not negative, by default equal. Their sum must be 1 within 1e-9, or within 1e-6
        if they are float32.

    Attributes
    ----------
    points : ndarray, shape (n, d)
        Read-only. A copy, unless the given array is read-only, C-contiguous, float64 and the owner
        of its memory.
    weights : ndarray, shape (n,)
        A read-only copy.

    Raises
    ------
    InvalidMeasure
        If points or weights are invalid; the message names the first invalid entry. Also if a data
        frame has a column of row names, such as the ``Unnamed: 0`` of a saved index.
    """

    points: NDArray[np.float64]
    weights: NDArray[np.float64]

    def __init__(self, points: ArrayLike, weights: ArrayLike | None = None) -> None:
        valid_points = _points(points)
        size = len(valid_points)
        valid_weights = np.full(size, 1 / size) if weights is None else as_weights(weights, size)
        valid_weights.flags.writeable = False
        object.__setattr__(self, "points", valid_points)
        object.__setattr__(self, "weights", valid_weights)

    @property
    def size(self) -> int:
        """Number of points n."""
        return len(self.points)

    @property
    def dimension(self) -> int:
        """Dimension d of the space."""
        return int(self.points.shape[1])

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean Σ_i a_i x_i, shape (d,)."""
        mean: NDArray[np.float64] = self.weights @ self.points
        return mean


def as_weights(weights: ArrayLike, size: int) -> NDArray[np.float64]:
    """Validate probability weights and return a float64 copy.

    Weights in float32 are divided by their sum.

    Parameters
    ----------
    weights : array_like, shape (size,)
    size : int

    Returns
    -------
    ndarray, shape (size,)

    Raises
    ------
    InvalidMeasure
        If the shape, the type, a value or the sum is invalid.
    """
    require_unmasked_measure(weights, "weights")
    given = _array(weights, "expected weights as one list of numbers")
    if given.dtype.kind not in "fiu":
        raise InvalidMeasure(
            f"expected weights that are real numbers, received {_content(given)}: convert them "
            "(astype(float))"
        )
    if given.shape != (size,):
        raise InvalidMeasure(
            f"expected one weight per point, shape ({size},), received shape {given.shape}: pass "
            "as many weights as points"
        )
    checked = np.array(given, dtype=np.float64, order="C")
    bad = ~np.isfinite(checked) | (checked < 0)
    if bad.any():
        index = int(np.argmax(bad))
        raise InvalidMeasure(
            f"expected finite weights >= 0, received {checked[index]} at index {index}: correct "
            "it, or leave out the point",
            index,
        )
    total = float(checked.sum())
    if total == 0:
        raise InvalidMeasure(
            "expected a positive weight, received only zeros: give at least one point mass"
        )
    in_float32 = given.dtype == np.float32
    tolerance = FLOAT32_MASS_TOLERANCE if in_float32 else MASS_TOLERANCE
    if abs(total - 1) > tolerance:
        raise InvalidMeasure(
            f"expected weights that sum to 1 within {tolerance:g}, received {total!r}: divide them "
            "by their sum"
        )
    return checked / total if in_float32 else checked


def _needs_no_copy(array: NDArray[Any]) -> bool:
    """Return whether `Measure` can keep this array of points itself."""
    flags = array.flags
    return (
        array.dtype == np.float64 and flags.c_contiguous and flags.owndata and not flags.writeable
    )


def _array(values: Any, expected: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError as error:  # rows of different lengths
        lengths = sorted({len(row) for row in values if isinstance(row, list | tuple)})
        received = f"lengths {', '.join(map(str, lengths))}" if lengths else str(error)
        raise InvalidMeasure(
            f"{expected}, received {received}: fill in what is missing, or leave out the row"
        ) from error


def _content(given: NDArray[Any]) -> str:
    """Describe what an array holds instead of numbers, with an example."""
    kind = "text" if given.dtype.kind in "US" else f"the dtype {given.dtype}"
    return f"{kind}, such as {str(given.flat[0])[:40]!r}" if given.size else kind


def _reshape_advice(given: NDArray[Any]) -> str:
    """Say how to turn an array of another shape into points."""
    if given.size == 0:
        return "give at least one point"
    if given.ndim == 1:
        return "one number a point is reshape(-1, 1), one point is reshape(1, -1)"
    return "flatten each point (reshape(len(points), -1))"


def _points(points: ArrayLike) -> NDArray[np.float64]:
    require_unmasked_measure(points, "points")
    given = _array(points, "expected points with equally many coordinates in every row")
    if given.dtype.kind not in "fiu":
        raise InvalidMeasure(
            f"expected points that are real numbers, received {_content(given)}: convert them "
            "(astype(float)), or pass a table with named columns, which a recipe turns into points"
        )
    if given.ndim != 2 or 0 in given.shape:
        raise InvalidMeasure(
            "expected points of shape (n, d) with at least one point and one coordinate, "
            f"received shape {given.shape}: {_reshape_advice(given)}"
        )
    checked = given if _needs_no_copy(given) else np.array(given, dtype=np.float64, order="C")
    require_no_row_names(points, checked)
    bad = ~np.isfinite(checked)
    if bad.any():
        index = int(np.argmax(bad.any(axis=1)))
        column = int(np.argmax(bad[index]))
        raise InvalidMeasure(
            f"expected finite points, received {checked[index, column]} in row {index}, "
            f"column {column}: fill it in, or leave out the row",
            index,
        )
    largest = max(float(checked.max()), -float(checked.min()))
    if 0 < largest < SMALLEST_EXTENT:
        raise InvalidMeasure(
            f"expected a coordinate of at least {SMALLEST_EXTENT:g}, or only zeros, received "
            f"{largest:g} as the largest: float64 would round squared distances to zero. Scale "
            "the points up on both sides"
        )
    checked.flags.writeable = False
    return checked
