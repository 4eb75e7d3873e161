"""Costs as the solvers want them: only points with mass, of order one, in memory where they fit."""

from __future__ import annotations

import math
import os
import resource
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from wassay.transport.cost import Cost, Real
from wassay.transport.errors import TransportError

BLOCK_ENTRIES = 2**19
"""Entries handled at once: few enough to stay in the processor's cache."""

STRETCH_ENTRIES = 2**22
"""Entries computed or read at once: enough for the threads of a matrix product to pay."""

BYTES_HELD = 12
"""Memory for one entry of a cost held as float64 and as float32."""

_SHARE_OF_MEMORY = 4
_FLOAT32_EXPONENTS, _FLOAT64_EXPONENTS = 60, 1000


class PreparedCost:
    """The rows and columns with mass of a cost, divided by a power of two.

    Parameters
    ----------
    cost : Cost
        Checked to be finite.
    rows, columns : ndarray of int
        Those with mass, ascending.
    memory_budget_bytes : int or None
        Up to which the costs are held in memory; a quarter of the machine's when None. Above it
        they are read or computed in stretches of rows, as often as they are needed.
    pulse : callable
        Called for every block that is handed out.

    Raises
    ------
    TransportError
        Names the first cost that is not finite.
    """

    def __init__(
        self,
        cost: Cost,
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
        memory_budget_bytes: int | None,
        pulse: Callable[[], None],
    ) -> None:
        self._pulse = pulse
        self._cost, self._rows, self._columns = cost, rows, columns
        self._all_columns = len(columns) == cost.shape[1]
        self.exponent = 0
        self._whole: NDArray[np.float64] | None = None
        budget = default_memory_budget() if memory_budget_bytes is None else memory_budget_bytes
        fits = BYTES_HELD * len(rows) * len(columns) <= budget
        whole = np.empty(self.shape) if fits else None
        largest = 0.0
        for start, stop, block in self._cut_up(self._selected):
            _require_finite(block, rows[start:stop], columns)
            largest = max(largest, float(block.max()), -float(block.min()))
            if whole is not None:
                whole[start:stop] = block
        # Scaling by a power of two loses no digit.
        self.exponent = math.frexp(largest)[1]
        if whole is not None:
            self._whole = self._scaled(whole, out=whole)
            self._rough = self._whole.astype(np.float32)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns with mass."""
        return len(self._rows), len(self._columns)

    def blocks(self) -> Iterator[tuple[int, int, NDArray[np.float64]]]:
        """Bounds and costs of small blocks of rows, first to last."""
        return self._cut_up(self._exact_rows)

    def rough_blocks(self) -> Iterator[tuple[int, int, NDArray[np.float32]]]:
        """The same blocks in float32."""
        return self._cut_up(self._rough_rows)

    def matrix(self) -> NDArray[np.float64]:
        """All costs at once, for problems that are known to be small."""
        return self._exact_rows(0, len(self._rows))

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""
        if self._whole is not None:
            return self._whole[rows, columns]
        values = self._cost.at(self._rows[rows], self._columns[columns])
        return self._scaled(values)

    def _cut_up(
        self, read: Callable[[int, int], NDArray[Real]]
    ) -> Iterator[tuple[int, int, NDArray[Real]]]:
        """Read stretches of rows and hand them out in blocks."""
        n, m = self.shape
        long, short = max(1, STRETCH_ENTRIES // m), max(1, BLOCK_ENTRIES // m)
        for first in range(0, n, long):
            last = min(first + long, n)
            stretch = read(first, last)
            for start in range(first, last, short):
                stop = min(start + short, last)
                self._pulse()
                yield start, stop, stretch[start - first : stop - first]

    def _exact_rows(self, start: int, stop: int) -> NDArray[np.float64]:
        if self._whole is not None:
            return self._whole[start:stop]
        return self._scaled(self._selected(start, stop))

    def _rough_rows(self, start: int, stop: int) -> NDArray[np.float32]:
        if self._whole is not None:
            return self._rough[start:stop]
        if abs(self.exponent) > _FLOAT32_EXPONENTS:
            return self._exact_rows(start, stop).astype(np.float32)
        rows = self._rows[start:stop]
        block = self._cut(self._cost.rough(int(rows[0]), int(rows[-1]) + 1), rows)
        return block * np.float32(2.0**-self.exponent)

    def _scaled(
        self, costs: NDArray[np.float64], out: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        # Multiplying is ten times as fast as ldexp, which alone reaches the ends of the range.
        if abs(self.exponent) < _FLOAT64_EXPONENTS:
            return np.multiply(costs, 2.0**-self.exponent, out=out)
        return np.ldexp(costs, -self.exponent, out=out)

    def _selected(self, start: int, stop: int) -> NDArray[np.float64]:
        rows = self._rows[start:stop]
        return self._cut(self._cost.block(int(rows[0]), int(rows[-1]) + 1), rows)

    def _cut(self, block: NDArray[Real], rows: NDArray[np.intp]) -> NDArray[Real]:
        if len(rows) < len(block):
            block = block[rows - rows[0]]
        return block if self._all_columns else block[:, self._columns]


def _require_finite(
    block: NDArray[np.float64], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> None:
    finite = np.isfinite(block)
    if not finite.all():
        row, column = (int(i) for i in np.unravel_index(np.argmin(finite), block.shape))
        raise TransportError(
            f"costs must be finite, got {block[row, column]} in row {rows[row]}, "
            f"column {columns[column]}"
        )


def default_memory_budget() -> int:
    """A quarter of the memory that this process may use, in bytes."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    available = machine if allowed == resource.RLIM_INFINITY else min(machine, allowed)
    return available // _SHARE_OF_MEMORY
