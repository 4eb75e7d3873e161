"""Costs of several sellers against one buyer, one block under the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Cost, Real
from wassay.transport.errors import TransportError


class StackedCost:
    """Blocks of several sellers against one buyer, one under the other."""

    def __init__(self, blocks: Sequence[Cost]) -> None:
        if not blocks:
            raise TransportError("a stack needs at least one block of costs, got none")
        widths = {block.shape[1] for block in blocks}
        if len(widths) > 1:
            raise TransportError(
                f"stacked blocks need one column for each buyer point, got widths {sorted(widths)}"
            )
        self._blocks = tuple(blocks)
        self._offsets = np.cumsum([0] + [block.shape[0] for block in blocks])

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""
        return int(self._offsets[-1]), self._blocks[0].shape[1]

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Rows start … stop − 1."""
        return _joined([block.block(*rows) for block, rows in self._within(start, stop)])

    def float32_block(self, start: int, stop: int) -> NDArray[np.float32]:
        """Rows start … stop − 1 in float32."""
        return _joined([block.float32_block(*rows) for block, rows in self._within(start, stop)])

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""
        values = np.empty(len(rows))
        owner = np.searchsorted(self._offsets, rows, side="right") - 1
        for index, block in enumerate(self._blocks):
            own = owner == index
            values[own] = block.at(rows[own] - self._offsets[index], columns[own])
        return values

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> StackedCost:
        """Some rows and columns of every block that has any of the rows."""
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
        """The lowest and the highest of the blocks' bounds."""
        bounds = [block.extremes(*rows) for block, rows in self._within(start, stop)]
        return min(lowest for lowest, _ in bounds), max(highest for _, highest in bounds)

    def float32_error(self, largest: float) -> float:
        """The largest of the blocks'."""
        return max(block.float32_error(largest) for block in self._blocks)

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Coordinates of all blocks' points, where every block knows its own."""
        lines = [line for block in self._blocks if (line := block.line()) is not None]
        if len(lines) < len(self._blocks):
            return None
        return np.concatenate([rows for rows, _ in lines]), lines[0][1]

    def _within(self, start: int, stop: int) -> Iterator[tuple[Cost, tuple[int, int]]]:
        """The blocks that own rows start … stop − 1, each with its own numbering of them."""
        for block, offset in zip(self._blocks, self._offsets, strict=False):
            first, last = max(start - offset, 0), min(stop - offset, block.shape[0])
            if first < last:
                yield block, (int(first), int(last))


def _joined(pieces: list[NDArray[Real]]) -> NDArray[Real]:
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
