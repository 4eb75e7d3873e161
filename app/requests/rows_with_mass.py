"""Read the points of a measure that have mass, in blocks that fit into a processor's cache."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BLOCK_ENTRIES = 2**16
LEAST_ROWS = 32
LEAST_ROWS_BY_COLUMNS = 1024
"""Fewest rows of a block if the array is in Fortran order.

In that order, a block of fewer rows would read only a few adjacent bytes of each column.
"""


class RowsWithMass:
    """The points of a measure that have mass, converted to float64 block by block.

    Parameters
    ----------
    points
        (rows, columns), float32 or float64, perhaps in a memory-mapped file.
    indices
        The indices of the rows that have mass, ascending.
    """

    def __init__(self, points: NDArray[np.float64], indices: NDArray[np.intp]) -> None:
        self._points = points
        self._indices = indices
        least = LEAST_ROWS if points.strides[1] <= points.strides[0] else LEAST_ROWS_BY_COLUMNS
        self._height = max(least, BLOCK_ENTRIES // points.shape[1])

    def __len__(self) -> int:
        return len(self._indices)

    def weighted_sum(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of the rows, each times its weight; do not read rows of weight 0."""
        total = np.zeros(self._points.shape[1])
        heavy = np.flatnonzero(weights)
        for part, block in self._blocks(heavy):
            total += weights[part] @ block
        return total

    def radii(self, centre: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the distances of some rows from `centre`; `rows` are positions in `indices`."""
        return np.concatenate(
            [_norms(block - centre) for _, block in self._blocks(rows)] or [np.empty(0)]
        )

    def radii_and_coordinates(
        self, centre: NDArray[np.float64], axes: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the distances of all rows from `centre`, and the rows' coordinates along `axes`.

        Parameters
        ----------
        centre
            (columns,), the origin of the coordinates.
        axes
            (columns, axes), the directions of the coordinates.

        Returns
        -------
        radii
            (rows,)
        coordinates
            (rows, axes)
        """
        radii, coordinates = np.empty(len(self)), np.empty((len(self), axes.shape[1]))
        for part, block in self._blocks(np.arange(len(self))):
            apart = block - centre
            radii[part], coordinates[part] = _norms(apart), apart @ axes
        return radii, coordinates

    def _blocks(
        self, rows: NDArray[np.intp]
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """Yield some rows block by block: their positions in `indices`, and their points."""
        for start in range(0, len(rows), self._height):
            part = rows[start : start + self._height]
            indices = self._indices[part]
            first, last = indices[0], indices[-1] + 1
            # Take a slice if the rows are adjacent, because a slice needs no copy.
            chosen = slice(first, last) if last - first == len(indices) else indices
            yield part, np.asarray(self._points[chosen], dtype=np.float64)


def _norms(block: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", block, block)), dtype=np.float64)
