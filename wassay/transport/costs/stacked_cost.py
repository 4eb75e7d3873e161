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

    def extremes(self, start: int, stop: int) -> tuple[float, float]:
        """The lowest and the highest of the parts' bounds."""
        bounds = [part.extremes(*rows) for part, rows in self._within(start, stop)]
        return min(lowest for lowest, _ in bounds), max(highest for _, highest in bounds)

    def rough_error(self, largest: float) -> float:
        """The largest of the parts'."""
        return max(part.rough_error(largest) for part in self._parts)

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


def _joined(pieces: list[NDArray[Real]]) -> NDArray[Real]:
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
