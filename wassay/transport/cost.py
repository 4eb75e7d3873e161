"""Transport costs ‖x − y‖^p, whole or in blocks, given or computed when asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure

Power: TypeAlias = Literal[1, 2]
"""p of W_p and of the cost ‖·‖^p."""

Real = TypeVar("Real", np.float32, np.float64)

CANCELLATION = 1e-5
"""Squared distances below this share of the squared norms are computed again by differences."""

ENTRIES_AT_ONCE = 2**22

ROUNDING_OF_FLOAT32 = 2.0**-24
_ROUNDINGS_OF_A_PRODUCT = 4


@runtime_checkable
class Cost(Protocol):
    """An (n, m) matrix of costs that need not exist in memory."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Rows start … stop − 1, shape (stop − start, m)."""

    def rough(self, start: int, stop: int) -> NDArray[np.float32]:
        """The same rows in float32, for steps whose result is checked in float64 afterwards."""

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Cost:
        """The costs of some rows and columns, both ascending."""

    def largest(self) -> float:
        """A bound of all |costs|, not much above the largest; fails if one is not finite."""

    def rough_error(self) -> float:
        """How far an entry in float32 may be from the cost."""

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Coordinates of the rows and columns, where they are known to be points of a line."""


class GivenCost:
    """Costs that somebody computed: an array, or one mapped from a file.

    Parameters
    ----------
    matrix : array_like, shape (n, m)
        Real numbers. Read in blocks, so a ``numpy.memmap`` is never held whole.
    rows, columns : ndarray of int, optional
        Those that matter, ascending; all by default.

    Raises
    ------
    TransportError
        When the array is not a real matrix with at least one entry.
    """

    def __init__(
        self,
        matrix: ArrayLike,
        rows: NDArray[np.intp] | None = None,
        columns: NDArray[np.intp] | None = None,
    ) -> None:
        given = np.asanyarray(matrix)
        if given.dtype.kind not in "fiu":
            raise TransportError(f"costs must be real numbers, got dtype {given.dtype}")
        if given.ndim != 2 or 0 in given.shape:
            raise TransportError(
                f"costs must have shape (n, m) with at least one entry, got {given.shape}"
            )
        self._matrix = given
        self._rows = np.arange(given.shape[0]) if rows is None else rows
        self._columns = np.arange(given.shape[1]) if columns is None else columns

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""
        return len(self._rows), len(self._columns)

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Rows start … stop − 1."""
        return np.ascontiguousarray(self._read(start, stop), dtype=np.float64)

    def rough(self, start: int, stop: int) -> NDArray[np.float32]:
        """Rows start … stop − 1 in float32."""
        return np.ascontiguousarray(self._read(start, stop), dtype=np.float32)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""
        entries = self._matrix[self._rows[rows], self._columns[columns]]
        return np.asarray(entries, dtype=np.float64)

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> GivenCost:
        """The costs of some rows and columns, still where they were given."""
        return GivenCost(self._matrix, self._rows[rows], self._columns[columns])

    def largest(self) -> float:
        """The largest |cost|.

        Raises
        ------
        TransportError
            Names the first cost that is not finite.
        """
        n, m = self.shape
        height = max(1, ENTRIES_AT_ONCE // m)
        found = 0.0
        for start in range(0, n, height):
            block = self.block(start, min(start + height, n))
            highest, lowest = float(block.max()), float(block.min())
            if not (math.isfinite(highest) and math.isfinite(lowest)):
                row, column = (
                    int(i) for i in np.unravel_index(np.argmin(np.isfinite(block)), block.shape)
                )
                raise TransportError(
                    f"costs must be finite, got {block[row, column]} in row "
                    f"{self._rows[start + row]}, column {self._columns[column]}"
                )
            found = max(found, highest, -lowest)
        return found

    def rough_error(self) -> float:
        """The rounding of the largest cost."""
        return ROUNDING_OF_FLOAT32 * self.largest()

    def line(self) -> None:
        """Not known: a cost may come from points of any space."""

    def _read(self, start: int, stop: int) -> NDArray[Any]:
        rows = self._rows[start:stop]
        everything = len(rows) == rows[-1] + 1 - rows[0]
        block = self._matrix[rows[0] : rows[-1] + 1] if everything else self._matrix[rows]
        return block if len(self._columns) == self._matrix.shape[1] else block[:, self._columns]


class PointCost:
    """Costs between the points of two measures, computed block by block."""

    def __init__(self, rows: Measure, columns: Measure, p: Power = 2) -> None:
        _require_power(p)
        if rows.dimension != columns.dimension:
            raise TransportError(
                "both measures must live in one space, got dimensions "
                f"{rows.dimension} and {columns.dimension}"
            )
        self._rows, self._columns, self._p = rows.points, columns.points, p
        centre = (rows.mean + columns.mean) / 2
        left, right = self._rows - centre, self._columns - centre
        self._row_norms = np.einsum("ij,ij->i", left, left)
        self._column_norms = np.einsum("ij,ij->i", right, right)
        # |x|² − 2⟨x, y⟩ + |y|² as one matrix product of longer vectors.
        one = np.ones(len(left)), np.ones(len(right))
        self._left = np.column_stack([-2 * left, self._row_norms, one[0]])
        self._right = np.vstack([right.T, one[1], self._column_norms])
        with np.errstate(over="ignore"):  # points so large are never looked at in float32
            self._rough_left = self._left.astype(np.float32)
            self._rough_right = self._right.astype(np.float32)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""
        return len(self._rows), len(self._columns)

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Rows start … stop − 1."""
        squared: NDArray[np.float64] = self._left[start:stop] @ self._right
        rows, columns = self._cancelled(squared, start)
        squared[rows, columns] = _by_differences(
            self._rows[start:stop], self._columns, rows, columns
        )
        return _powers(squared, self._p)

    def rough(self, start: int, stop: int) -> NDArray[np.float32]:
        """Rows start … stop − 1 in float32, from the matrix product alone."""
        squared: NDArray[np.float32] = self._rough_left[start:stop] @ self._rough_right
        if self._p == 2:
            return squared
        np.clip(squared, 0, None, out=squared)
        return np.sqrt(squared, out=squared)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""
        return _powers(_by_differences(self._rows, self._columns, rows, columns), self._p)

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> PointCost:
        """The costs between some of the points."""
        return PointCost(Measure(self._rows[rows]), Measure(self._columns[columns]), self._p)

    def largest(self) -> float:
        """The bound that the triangle inequality gives.

        Raises
        ------
        TransportError
            When points are too far apart for their costs to be finite.
        """
        distance = float(np.sqrt(self._row_norms.max()) + np.sqrt(self._column_norms.max()))
        bound = distance if self._p == 1 else distance * distance
        if not math.isfinite(bound):
            raise TransportError(
                "costs must be finite, but points are too far apart for that: scale them down"
            )
        return bound

    def rough_error(self) -> float:
        """The rounding of d + 2 products, of what goes into them, and of their sum.

        They add up to (‖x‖ + ‖y‖)² at most (Higham 2002, section 3.1).
        """
        distance = float(np.sqrt(self._row_norms.max()) + np.sqrt(self._column_norms.max()))
        operations = len(self._right) + _ROUNDINGS_OF_A_PRODUCT
        squared = operations * ROUNDING_OF_FLOAT32 * distance**2
        return squared if self._p == 2 else math.sqrt(squared)

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Coordinates of the points, where they have one."""
        if self._rows.shape[1] > 1:
            return None
        return self._rows[:, 0], self._columns[:, 0]

    def _cancelled(
        self, squared: NDArray[np.float64], start: int
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Pairs for which the product lost digits."""
        norms = self._row_norms[start : start + len(squared)]
        reachable = CANCELLATION * (norms + self._column_norms.max())
        near = np.flatnonzero(squared.min(axis=1) <= reachable)
        scale = norms[near, None] + self._column_norms
        rows, columns = np.nonzero(squared[near] <= CANCELLATION * scale)
        return near[rows], columns


class StackedCost:
    """Blocks of several sellers against one buyer, one under the other."""

    def __init__(self, parts: Sequence[Cost]) -> None:
        if not parts:
            raise TransportError("a stack needs at least one block of costs, got none")
        widths = {part.shape[1] for part in parts}
        if len(widths) > 1:
            raise TransportError(
                f"stacked blocks need one column for each buyer point, got widths {sorted(widths)}"
            )
        self._parts = tuple(parts)
        self._offsets = np.cumsum([0] + [part.shape[0] for part in parts])

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""
        return int(self._offsets[-1]), self._parts[0].shape[1]

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Rows start … stop − 1."""
        return _joined([part.block(*rows) for part, rows in self._within(start, stop)])

    def rough(self, start: int, stop: int) -> NDArray[np.float32]:
        """Rows start … stop − 1 in float32."""
        return _joined([part.rough(*rows) for part, rows in self._within(start, stop)])

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""
        values = np.empty(len(rows))
        owner = np.searchsorted(self._offsets, rows, side="right") - 1
        for index, part in enumerate(self._parts):
            own = owner == index
            values[own] = part.at(rows[own] - self._offsets[index], columns[own])
        return values

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> StackedCost:
        """Some rows and columns of every part that has any of the rows."""
        bounds = np.searchsorted(rows, self._offsets)
        return StackedCost(
            [
                part.only(rows[first:last] - offset, columns)
                for part, offset, (first, last) in zip(
                    self._parts, self._offsets, pairwise(bounds), strict=False
                )
                if first < last
            ]
        )

    def largest(self) -> float:
        """The largest of the parts'."""
        return max(part.largest() for part in self._parts)

    def rough_error(self) -> float:
        """The largest of the parts'."""
        return max(part.rough_error() for part in self._parts)

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Coordinates of all parts' points, where every part knows its own."""
        lines = [line for part in self._parts if (line := part.line()) is not None]
        if len(lines) < len(self._parts):
            return None
        return np.concatenate([rows for rows, _ in lines]), lines[0][1]

    def _within(self, start: int, stop: int) -> Iterator[tuple[Cost, tuple[int, int]]]:
        """The parts that own rows start … stop − 1, each with its own numbering of them."""
        for part, offset in zip(self._parts, self._offsets, strict=False):
            first, last = max(start - offset, 0), min(stop - offset, part.shape[0])
            if first < last:
                yield part, (int(first), int(last))


def cost_block(rows: ArrayLike, columns: ArrayLike, p: Power = 2) -> NDArray[np.float64]:
    """Costs ‖x_i − y_j‖^p between two sets of points.

    Squared distances come from one matrix product of centred points; where that product cancels
    (points much closer to each other than to the centre) they are computed again by differences,
    so that equal points are at distance exactly zero and every entry is good to about 1e-10.

    Parameters
    ----------
    rows : array_like, shape (n, d)
        A seller's points.
    columns : array_like, shape (m, d)
        The buyer's points.
    p : {1, 2}
        Power of the Euclidean distance.

    Returns
    -------
    ndarray, shape (n, m)
        float64, in units of the coordinates to the power p.

    Raises
    ------
    TransportError
        When the points are not finite real matrices of one dimension, or p is neither 1 nor 2.
    """
    cost = PointCost(Measure(rows), Measure(columns), p)
    return cost.block(0, cost.shape[0])


def as_cost(cost: Cost | ArrayLike) -> Cost:
    """Let a plain array be used wherever costs are."""
    return cost if isinstance(cost, Cost) else GivenCost(cost)


def _require_power(p: int) -> None:
    if p not in (1, 2):
        raise TransportError(f"p must be 1 or 2, got {p}")


def _powers(squared: NDArray[np.float64], p: Power) -> NDArray[np.float64]:
    return squared if p == 2 else np.sqrt(squared, out=squared)


def _joined(pieces: list[NDArray[Real]]) -> NDArray[Real]:
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


def _by_differences(
    points: NDArray[np.float64],
    others: NDArray[np.float64],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> NDArray[np.float64]:
    values = np.empty(len(rows))
    step = max(1, ENTRIES_AT_ONCE // points.shape[1])
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        differences = points[rows[part]] - others[columns[part]]
        values[part] = np.einsum("ij,ij->i", differences, differences)
    return values
