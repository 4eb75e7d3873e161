"""Costs given as an array in memory or mapped from a file."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import ROUNDING_OF_FLOAT32, Cost
from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked

_FEW = 1 / 8
"""If at most this share of the columns is in use, scattered rows are read entry by entry."""


class GivenCost:
    """Costs given as an array in memory or mapped from a file.

    Parameters
    ----------
    matrix : array_like, shape (N, M)
        Real numbers. A ``numpy.memmap`` is read in blocks.
    rows, columns : ndarray of int, shapes (n,) and (m,), optional
        Indices of the rows and columns of `matrix` to use, in any order; all by default. The
        methods count only these: their row 0 is the first of `rows`.

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
            raise TransportError(
                f"expected costs that are real numbers, received dtype {given.dtype}"
            )
        if given.ndim != 2 or 0 in given.shape:
            raise TransportError(
                "expected costs of shape (n, m) with at least one entry, received shape "
                f"{given.shape}"
            )
        self._matrix = given
        self._rows = np.arange(given.shape[0]) if rows is None else rows
        self._columns = np.arange(given.shape[1]) if columns is None else columns
        # Entries of such an array are read by one index, which takes half as long as by two. Others
        # would be copied whole.
        flags = given.flags
        self._is_flat = flags.c_contiguous and flags.aligned and given.dtype.isnative
        self._has_all_columns = np.array_equal(self._columns, np.arange(given.shape[1]))

    @property
    def shape(self) -> tuple[int, int]:
        """Shape (n, m) of the rows and columns in use."""
        return len(self._rows), len(self._columns)

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Return the costs of the rows start … stop − 1 in use, in float64.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        ndarray, shape (stop − start, m)
        """
        return np.ascontiguousarray(self._read(start, stop), dtype=np.float64)

    def float32_block(self, start: int, stop: int) -> NDArray[np.float32]:
        """Return the costs of the rows start … stop − 1 in use, in float32.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        ndarray, shape (stop − start, m)
        """
        return np.ascontiguousarray(self._read(start, stop), dtype=np.float32)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the costs of single pairs.

        Parameters
        ----------
        rows, columns : ndarray of int, shape (l,)
            Row and column of each of the l pairs.

        Returns
        -------
        ndarray, shape (l,)
            C[rows[k], columns[k]].
        """
        rows, columns = self._rows[rows], self._columns[columns]
        if self._is_flat:
            entries = self._matrix.take(rows * self._matrix.shape[1] + columns)
        else:
            entries = self._matrix[rows, columns]
        return np.asarray(entries, dtype=np.float64)

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> GivenCost:
        """Return the costs of some rows and columns, without copying.

        Parameters
        ----------
        rows, columns : ndarray of int
            Indices, in any order.

        Returns
        -------
        GivenCost
        """
        return GivenCost(self._matrix, self._rows[rows], self._columns[columns])

    def extremes(self, start: int, stop: int) -> tuple[float, float]:
        """Return the lowest and the highest cost of rows start … stop − 1.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        lowest, highest : float

        Raises
        ------
        TransportError
            If a cost is not finite; the message names the first.
        """
        block = self.block(start, stop)
        lowest, highest = float(block.min()), float(block.max())
        if not (math.isfinite(lowest) and math.isfinite(highest)):
            row, column = (
                int(i) for i in np.unravel_index(np.argmin(np.isfinite(block)), block.shape)
            )
            raise TransportError(
                f"expected finite costs, received {block[row, column]} in row "
                f"{self._rows[start + row]}, column {self._columns[column]}"
            )
        return lowest, highest

    def float32_error(self, largest: float) -> float:
        """Bound the error of an entry of `float32_block`: the rounding of the largest cost.

        Parameters
        ----------
        largest : float
            Upper bound on |cost|.

        Returns
        -------
        float
            In units of the cost.
        """
        return ROUNDING_OF_FLOAT32 * largest

    def line(self) -> None:
        """Return None: the points behind an array are not known."""

    def points(self) -> None:
        """Return None: the points behind an array are not known."""

    def _read(self, start: int, stop: int) -> NDArray[Any]:
        rows = self._rows[start:stop]
        contiguous = np.array_equal(rows, np.arange(rows[0], rows[0] + len(rows)))
        if not contiguous and self._is_flat and len(self._columns) <= _FEW * self._matrix.shape[1]:
            entries = rows[:, None] * self._matrix.shape[1] + self._columns
            scattered: NDArray[Any] = self._matrix.take(entries)
            return scattered
        block = self._matrix[rows[0] : rows[-1] + 1] if contiguous else self._matrix[rows]
        return block if self._has_all_columns else block.take(self._columns, axis=1)


def as_cost(cost: Cost | ArrayLike) -> Cost:
    """Convert an array to a `GivenCost`; return a `Cost` unchanged."""
    return cost if isinstance(cost, Cost) else GivenCost(cost)
