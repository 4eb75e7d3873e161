"""Transport costs ‖x − y‖^p, whole or in blocks, given or computed when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure

Power: TypeAlias = Literal[1, 2]
"""p of W_p and of the cost ‖·‖^p."""

Real = TypeVar("Real", np.float32, np.float64)

CANCELLATION = 1e-5
"""Squared distances below this share of the squared norms are computed again by differences."""

_DIFFERENCES_AT_ONCE = 2**22


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


class GivenCost:
    """Costs that somebody computed: an array, or one mapped from a file.

    Parameters
    ----------
    matrix : array_like, shape (n, m)
        Real numbers. Read in blocks, so a ``numpy.memmap`` is never held whole.

    Raises
    ------
    TransportError
        When the array is not a real matrix with at least one entry.
    """

    def __init__(self, matrix: ArrayLike) -> None:
        given = np.asanyarray(matrix)
        if given.dtype.kind not in "fiu":
            raise TransportError(f"costs must be real numbers, got dtype {given.dtype}")
        if given.ndim != 2 or 0 in given.shape:
            raise TransportError(
                f"costs must have shape (n, m) with at least one entry, got {given.shape}"
            )
        self._matrix = given

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""
        rows, columns = self._matrix.shape
        return rows, columns

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Rows start … stop − 1."""
        return np.ascontiguousarray(self._matrix[start:stop], dtype=np.float64)

    def rough(self, start: int, stop: int) -> NDArray[np.float32]:
        """Rows start … stop − 1 in float32."""
        return np.ascontiguousarray(self._matrix[start:stop], dtype=np.float32)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""
        return np.asarray(self._matrix[rows, columns], dtype=np.float64)


class PointCost:
    """Costs between the points of two measures, computed block by block."""

    def __init__(self, rows: Measure, columns: Measure, p: Power = 2) -> None:
        _require_power(p)
        if rows.dimension != columns.dimension:
            raise TransportError(
                "both measures must live in one space, got dimensions "
                f"{rows.dimension} and {columns.dimension}"
            )
        self._centre = (rows.mean + columns.mean) / 2
        self._rows = rows.points
        self._columns = columns.points
        self._centred_columns = columns.points - self._centre
        self._rough_columns = self._centred_columns.astype(np.float32)
        self._p: Power = p

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""
        return len(self._rows), len(self._columns)

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Rows start … stop − 1."""
        rows = self._rows[start:stop] - self._centre
        squared, near = _by_product(rows, self._centred_columns)
        squared[near] = _by_differences(self._rows[start:stop], self._columns, *near)
        return _powers(squared, self._p)

    def rough(self, start: int, stop: int) -> NDArray[np.float32]:
        """Rows start … stop − 1 in float32, from the matrix product alone."""
        rows = (self._rows[start:stop] - self._centre).astype(np.float32)
        squared = _product(rows, self._rough_columns)
        np.maximum(squared, 0, out=squared)
        return squared if self._p == 2 else np.sqrt(squared, out=squared)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""
        return _powers(_by_differences(self._rows, self._columns, rows, columns), self._p)


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


def _product(rows: NDArray[Real], columns: NDArray[Real]) -> NDArray[Real]:
    """Squared distances as |x|² − 2⟨x, y⟩ + |y|²: fast, but near pairs lose digits."""
    squared: NDArray[Real] = rows @ columns.T
    squared *= -2
    squared += np.einsum("ij,ij->i", rows, rows)[:, None]
    squared += np.einsum("ij,ij->i", columns, columns)
    return squared


def _by_product(
    rows: NDArray[np.float64], columns: NDArray[np.float64]
) -> tuple[NDArray[np.float64], tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Squared distances of centred points, and the pairs for which the product cancelled."""
    squared = _product(rows, columns)
    scale = np.einsum("ij,ij->i", rows, rows)[:, None] + np.einsum("ij,ij->i", columns, columns)
    near_rows, near_columns = np.nonzero(squared <= CANCELLATION * scale)
    return squared, (near_rows, near_columns)


def _by_differences(
    points: NDArray[np.float64],
    others: NDArray[np.float64],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> NDArray[np.float64]:
    values = np.empty(len(rows))
    step = max(1, _DIFFERENCES_AT_ONCE // points.shape[1])
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        differences = points[rows[part]] - others[columns[part]]
        values[part] = np.einsum("ij,ij->i", differences, differences)
    return values
