"""Costs that somebody computed: an array in memory, or one mapped from a file."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import ROUNDING_OF_FLOAT32, Cost
from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked


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
        If the array is not a real matrix with at least one entry, or an entry is masked.
    """

    def __init__(
        self,
        matrix: ArrayLike,
        rows: NDArray[np.intp] | None = None,
        columns: NDArray[np.intp] | None = None,
    ) -> None:
        require_unmasked(matrix, "costs")
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

    def float32_block(self, start: int, stop: int) -> NDArray[np.float32]:
        """Rows start … stop − 1 in float32."""
        return np.ascontiguousarray(self._read(start, stop), dtype=np.float32)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""
        entries = self._matrix[self._rows[rows], self._columns[columns]]
        return np.asarray(entries, dtype=np.float64)

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> GivenCost:
        """The costs of some rows and columns, still where they were given."""
        return GivenCost(self._matrix, self._rows[rows], self._columns[columns])

    def extremes(self, start: int, stop: int) -> tuple[float, float]:
        """The lowest and the highest cost of rows start … stop − 1.

        Raises
        ------
        TransportError
            Names the first cost that is not finite.
        """
        block = self.block(start, stop)
        lowest, highest = float(block.min()), float(block.max())
        if not (math.isfinite(lowest) and math.isfinite(highest)):
            row, column = (
                int(i) for i in np.unravel_index(np.argmin(np.isfinite(block)), block.shape)
            )
            raise TransportError(
                f"costs must be finite, got {block[row, column]} in row "
                f"{self._rows[start + row]}, column {self._columns[column]}"
            )
        return lowest, highest

    def float32_error(self, largest: float) -> float:
        """The rounding of the largest cost."""
        return ROUNDING_OF_FLOAT32 * largest

    def line(self) -> None:
        """Not known: a cost may come from points of any space."""

    def _read(self, start: int, stop: int) -> NDArray[Any]:
        rows = self._rows[start:stop]
        everything = len(rows) == rows[-1] + 1 - rows[0]
        block = self._matrix[rows[0] : rows[-1] + 1] if everything else self._matrix[rows]
        return block if len(self._columns) == self._matrix.shape[1] else block[:, self._columns]


def as_cost(cost: Cost | ArrayLike) -> Cost:
    """Let a plain array be used wherever costs are."""
    return cost if isinstance(cost, Cost) else GivenCost(cost)
