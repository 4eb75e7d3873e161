"""Costs of several sellers against one buyer, stacked by rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Cost, Real
from wassay.transport.costs.point_cost import PointCost, costs_at
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure


class StackedCost:
    """Cost blocks of several sellers against one buyer, stacked by rows: C = [C_1; …; C_N].

    Parameters
    ----------
    blocks : sequence of Cost, shapes (n_i, m)
        One cost block per seller.

    Raises
    ------
    TransportError
        If there is no block, or the blocks differ in their number of columns.
    """

    def __init__(self, blocks: Sequence[Cost]) -> None:
        if not blocks:
            raise TransportError("expected at least one block of costs, received none")
        widths = {block.shape[1] for block in blocks}
        if len(widths) > 1:
            raise TransportError(
                f"expected blocks with one column per buyer point, received widths {sorted(widths)}"
            )
        self._blocks = tuple(blocks)
        self._offsets = np.cumsum([0] + [block.shape[0] for block in blocks])

    @property
    def shape(self) -> tuple[int, int]:
        """Shape (Σ n_i, m)."""
        return int(self._offsets[-1]), self._blocks[0].shape[1]

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Return the costs of rows start … stop − 1 in float64.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        ndarray, shape (stop − start, m)
        """
        return _joined([block.block(*rows) for block, rows in self._within(start, stop)])

    def float32_block(self, start: int, stop: int) -> NDArray[np.float32]:
        """Return the costs of rows start … stop − 1 in float32.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        ndarray, shape (stop − start, m)
        """
        return _joined([block.float32_block(*rows) for block, rows in self._within(start, stop)])

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
        if len(self._blocks) == 1:
            return self._blocks[0].at(rows, columns)
        if self._row_points is not None:
            first = cast("PointCost", self._blocks[0])
            return costs_at(self._row_points, first.column_points, first.p, rows, columns)
        owner = np.searchsorted(self._offsets, rows, side="right") - 1
        by_owner = np.argsort(owner, kind="stable")
        bounds = np.searchsorted(owner[by_owner], np.arange(len(self._blocks) + 1))
        values = np.empty(len(rows))
        for block, offset, (first, last) in zip(
            self._blocks, self._offsets, pairwise(bounds), strict=False
        ):
            if first < last:
                own = by_owner[first:last]
                values[own] = block.at(rows[own] - offset, columns[own])
        return values

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> StackedCost:
        """Return the costs between some rows and some columns.

        Parameters
        ----------
        rows, columns : ndarray of int
            Ascending indices.

        Returns
        -------
        StackedCost
        """
        bounds = np.searchsorted(rows, self._offsets)
        return StackedCost(
            [
                block.only(rows[first:last] - offset, columns)
                for block, offset, (first, last) in zip(
                    self._blocks, self._offsets, pairwise(bounds), strict=False
                )
                if first < last
            ]
        )

    def extremes(self, start: int, stop: int) -> tuple[float, float]:
        """Bound the costs of rows start … stop − 1 from below and from above.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        lowest, highest : float
            Bounds on the costs.

        Raises
        ------
        TransportError
            If a cost is not finite.
        """
        bounds = [block.extremes(*rows) for block, rows in self._within(start, stop)]
        return min(lowest for lowest, _ in bounds), max(highest for _, highest in bounds)

    def float32_error(self, largest: float) -> float:
        """Bound the error of a cost in `float32_block`.

        Parameters
        ----------
        largest : float
            Upper bound on |cost|, as `extremes` gives it.

        Returns
        -------
        float
            In units of the cost.
        """
        return max(block.float32_error(largest) for block in self._blocks)

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return the coordinates of the rows' and the columns' points if they have one dimension.

        Returns
        -------
        tuple of ndarray, shapes (n,) and (m,), or None
            None if the points of a block are unknown or have more dimensions.
        """
        lines = [line for block in self._blocks if (line := block.line()) is not None]
        if len(lines) < len(self._blocks):
            return None
        return np.concatenate([rows for rows, _ in lines]), lines[0][1]

    def points(self) -> PointCost | None:
        """Return all blocks as one `PointCost`, which computes the costs from points.

        Returns
        -------
        PointCost or None
            None if the points of a block are unknown, or blocks differ in columns or power.
        """
        blocks = [points for block in self._blocks if (points := block.points()) is not None]
        if len(blocks) < len(self._blocks):
            return None
        first = blocks[0]
        for other in blocks[1:]:
            same = other.column_points is first.column_points or np.array_equal(
                other.column_points, first.column_points
            )
            if not same or other.p != first.p:
                return None
        rows = np.concatenate([block.row_points for block in blocks])
        return PointCost(Measure(rows), Measure(first.column_points), first.p)

    @cached_property
    def _row_points(self) -> NDArray[np.float64] | None:
        """The row points of all blocks, if all are `PointCost` with the same columns and power.

        None otherwise.
        """
        # So the costs of a thousand sellers are read in one pass.
        first = self._blocks[0]
        blocks = [
            block
            for block in self._blocks
            if isinstance(block, PointCost)
            and isinstance(first, PointCost)
            and block.column_points is first.column_points
            and block.p == first.p
        ]
        if len(blocks) < len(self._blocks):
            return None
        return np.concatenate([block.row_points for block in blocks])

    def _within(self, start: int, stop: int) -> Iterator[tuple[Cost, tuple[int, int]]]:
        """Yield each block that has some of the rows start … stop − 1.

        With the block, yield the range of these rows, counted from the block's first row.
        """
        index = max(int(np.searchsorted(self._offsets, start, side="right")) - 1, 0)
        while index < len(self._blocks) and self._offsets[index] < stop:
            block, offset = self._blocks[index], int(self._offsets[index])
            yield block, (max(start - offset, 0), min(stop - offset, block.shape[0]))
            index += 1


def _joined(arrays: list[NDArray[Real]]) -> NDArray[Real]:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
