"""Costs prepared for the solvers: scaled to about 1, read in blocks, stored if they fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import ROUNDING_OF_FLOAT32, Cost, Real
from wassay.transport.costs.point_cost import ALL_COLUMNS, Columns, PointCost
from wassay.transport.solvers.memory_budget import default_memory_budget
from wassay.transport.thread_pool import ThreadPool

Result = TypeVar("Result")

Blocks: TypeAlias = Iterator[tuple[int, int, NDArray[Real]]]
"""Blocks of rows: start, stop, and costs of shape (stop − start, m)."""

Panels: TypeAlias = Iterator[tuple[int, int, Columns, NDArray[Real]]]
"""Blocks of rows and some columns: start, stop, columns, and the costs between them."""

BLOCK_BYTES = 2**19
"""Size of a block, small enough for a core's cache."""

STRIP_BYTES = 2**23
"""Size of a strip of rows, the unit of work of a thread and of a matrix product."""

TILE_ROWS, TILE_COLUMNS = 256, 1024
"""Rows and columns of a tile, which is small enough for a core's cache."""

MIN_TILED_COLUMNS = 2**13
"""With fewer columns, a strip has enough rows for a fast matrix product of all of them."""

STORED_ROWS = 128
"""The most rows that are stored at a time, so that they are scaled while they are in cache."""

MIN_STRIP_ROWS = 16
"""Minimum number of rows of a strip."""

BYTES_PER_PAIR = 4
"""Memory for one stored cost, in float32."""

_SAMPLED = 50
_MIN_SHARE = 1e-30
"""A median cost below this share of the largest cost does not set the scale."""

FLOAT32_EXPONENTS, _FLOAT64_EXPONENTS = 60, 1000
_LARGEST_FLOAT32 = float(np.finfo(np.float32).max)


class PreparedCost:
    """Costs divided by a power of two, which several threads read in strips of rows.

    Parameters
    ----------
    cost : Cost
    exponent : int
        Exponent of the power of two.
    lowest, largest : float
        Lower bound on the costs, and upper bound on |cost|, before the division. The attributes of
        the same names are the bounds after it.
    memory_budget_bytes : int or None
        Limit on the memory for stored costs, by default `default_memory_budget`. Costs that need
        more are not stored.
    threads : ThreadPool
    """

    def __init__(
        self,
        cost: Cost,
        exponent: int,
        lowest: float,
        largest: float,
        memory_budget_bytes: int | None,
        threads: ThreadPool,
    ) -> None:
        self.shape = cost.shape
        self.exponent = exponent
        self.lowest = math.ldexp(lowest, -exponent)
        self.largest = math.ldexp(largest, -exponent)
        self._cost, self._lowest, self._largest, self.threads = cost, lowest, largest, threads
        self.memory_budget_bytes = (
            default_memory_budget() if memory_budget_bytes is None else memory_budget_bytes
        )
        self.stored: NDArray[np.float32] | None = None

    @classmethod
    def normalised(cls, cost: Cost, memory_budget_bytes: int | None, threads: ThreadPool) -> Self:
        """Divide the costs by a power of two, so that a typical cost is about one.

        Parameters
        ----------
        cost : Cost
        memory_budget_bytes : int or None
        threads : ThreadPool

        Returns
        -------
        PreparedCost

        Raises
        ------
        TransportError
            If a cost is not finite.
        """
        # A power of two rounds nothing. The typical cost is a median without zeros, so that neither
        # far outliers nor many equal points decide the scale.
        n, m = cost.shape
        bounds = threads.map(lambda rows: cost.extremes(*rows), _strips(n, m, np.float64))
        lowest, highest = (np.array(side) for side in zip(*bounds, strict=True))
        largest = max(float(highest.max()), -float(lowest.min()))
        rows = np.linspace(0, n - 1, min(n, _SAMPLED)).astype(np.intp)
        columns = np.linspace(0, m - 1, min(m, _SAMPLED)).astype(np.intp)
        entries = np.abs(cost.at(np.repeat(rows, len(columns)), np.tile(columns, len(rows))))
        median = float(np.median(entries[entries > 0])) if entries.any() else 0.0
        unit = median if median > largest * _MIN_SHARE else largest
        exponent = math.frexp(unit)[1]
        return cls(cost, exponent, float(lowest.min()), largest, memory_budget_bytes, threads)

    @property
    def fits_budget(self) -> bool:
        """Whether the costs fit into the memory budget."""
        return BYTES_PER_PAIR * math.prod(self.shape) <= self.memory_budget_bytes

    def materialize(self) -> None:
        """Store the costs in float32 for repeated scans, if the budget allows."""
        n, m = self.shape
        if self.stored is not None or not self.fits_budget:
            return
        stored = np.empty(self.shape, dtype=np.float32)

        def store(rows: tuple[int, int]) -> None:
            for start, stop, block in self._float32_blocks(*rows):
                stored[start:stop] = block

        def store_scaled(rows: tuple[int, int]) -> None:
            if isinstance(self._cost, PointCost):
                self._cost.store_float32(*rows, 2.0**-self.exponent, stored[slice(*rows)])
                return
            scale = np.float32(2.0**-self.exponent)
            np.multiply(self._cost.float32_block(*rows), scale, out=stored[slice(*rows)])

        strips = _strips(n, m, np.float32, STORED_ROWS)
        for _ in self.threads.map(store_scaled if self._fits_float32() else store, strips):
            pass
        self.stored = stored

    def sample(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Self:
        """Return the costs of some rows and columns, in the same units."""
        return type(self)(
            self._cost.only(rows, columns),
            self.exponent,
            self._lowest,
            self._largest,
            self.memory_budget_bytes,
            self.threads,
        )

    def transposed(self) -> PreparedCost | None:
        """Return the costs with rows and columns exchanged; None if they are not between points."""
        points = self._cost.points()
        if points is None:
            return None
        return PreparedCost(
            points.transposed(),
            self.exponent,
            self._lowest,
            self._largest,
            self.memory_budget_bytes,
            self.threads,
        )

    def map_blocks(self, work: Callable[[Blocks[np.float64]], Result]) -> Iterator[Result]:
        """Yield `work(blocks)` for every strip of rows, in order, with costs in float64."""
        return self.threads.map(
            lambda rows: work(self._blocks(*rows)), _strips(*self.shape, np.float64)
        )

    def map_float32_blocks(self, work: Callable[[Blocks[np.float32]], Result]) -> Iterator[Result]:
        """Yield `work(blocks)` like `map_blocks`, with costs in float32."""
        return self.threads.map(
            lambda rows: work(self._float32_blocks(*rows)), _strips(*self.shape, np.float32)
        )

    def map_near_blocks(
        self,
        work: Callable[[Panels[np.float64]], Result],
        f: NDArray[np.float64],
        g: NDArray[np.float64],
        reach: float,
    ) -> Iterator[Result]:
        """Yield `work(panels)` for every strip of rows, in order, with costs in float64.

        A subclass may leave out pairs whose C_ij − f_i − g_j is at least `reach`.
        """
        return self.map_blocks(lambda blocks: work(_with_all_columns(blocks)))

    def map_near_float32_blocks(
        self,
        work: Callable[[Panels[np.float32]], Result],
        f: NDArray[np.float64],
        g: NDArray[np.float64],
        reach: float,
    ) -> Iterator[Result]:
        """Yield `work(panels)` like `map_near_blocks`, with costs in float32."""
        return self.map_float32_blocks(lambda blocks: work(_with_all_columns(blocks)))

    def map_near_float32_tiles(
        self,
        work: Callable[[Panels[np.float32]], Result],
        f: NDArray[np.float64],
        g: NDArray[np.float64],
        reach: float,
    ) -> Iterator[Result]:
        """Yield `work(panels)` like `map_near_float32_blocks`, in tiles if `has_tiles`.

        Tiles are panels of at most `TILE_ROWS` rows and `TILE_COLUMNS` columns. All tiles of a row
        are in one strip.
        """
        points = self._tiled_points()
        if points is None:
            return self.map_near_float32_blocks(work, f, g, reach)
        starts = range(0, self.shape[0], TILE_ROWS)
        return self.threads.map(lambda start: work(self._tiles(points, start)), starts)

    @property
    def has_tiles(self) -> bool:
        """Whether `map_near_float32_tiles` reads tiles.

        It does for costs between points that are not stored, fit float32, and have many columns.
        """
        return self._tiled_points() is not None

    def unread_from(self, reach: float) -> float:
        """Return a lower bound on the reduced costs of pairs that `map_near_blocks` leaves out."""
        return math.inf  # it leaves out none

    def matrix(self) -> NDArray[np.float64]:
        """Return all costs, for small problems."""
        return self._scaled(self._cost.block(0, self.shape[0]))

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the costs of the pairs (rows[k], columns[k])."""
        return self._scaled(self._cost.at(rows, columns))

    def float32_error(self) -> float:
        """Bound the error of a cost in float32, in units of the scaled costs."""
        error = self._cost.float32_error(self._largest)
        return math.ldexp(error, -self.exponent) + ROUNDING_OF_FLOAT32

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return the coordinates of the rows and columns on a line, or None if none are known."""
        return self._cost.line()

    def _blocks(self, start: int, stop: int) -> Blocks[np.float64]:
        for first, last, block in _split(start, stop, self._cost.block(start, stop)):
            yield first, last, self._scaled(block)

    def _float32_blocks(self, start: int, stop: int) -> Blocks[np.float32]:
        if self.stored is not None:
            yield from _split(start, stop, self.stored[start:stop])
        elif not self._fits_float32():
            for first, last, exact in self._blocks(start, stop):
                yield first, last, exact.astype(np.float32)
        else:
            scale = np.float32(2.0**-self.exponent)
            for first, last, block in _split(start, stop, self._cost.float32_block(start, stop)):
                yield first, last, block * scale

    def _tiles(self, points: PointCost, start: int) -> Panels[np.float32]:
        scale, stop = np.float32(2.0**-self.exponent), min(start + TILE_ROWS, self.shape[0])
        for first in range(0, self.shape[1], TILE_COLUMNS):
            columns = slice(first, first + TILE_COLUMNS)
            tile = points.float32_block(start, stop, columns)
            tile *= scale
            yield start, stop, columns, tile

    def _tiled_points(self) -> PointCost | None:
        wide = self.stored is None and self.shape[1] >= MIN_TILED_COLUMNS
        points = self._cost if wide and isinstance(self._cost, PointCost) else None
        return points if points is not None and self._fits_float32() else None

    def _fits_float32(self) -> bool:
        return abs(self.exponent) <= FLOAT32_EXPONENTS and self._largest <= _LARGEST_FLOAT32

    def _scaled(self, costs: NDArray[np.float64]) -> NDArray[np.float64]:
        # Multiplying is ten times as fast as ldexp, which only extreme exponents need.
        if abs(self.exponent) < _FLOAT64_EXPONENTS:
            return costs * 2.0**-self.exponent
        return np.ldexp(costs, -self.exponent)


def _strips(
    n: int, m: int, real: type[Real], most_rows: int | None = None
) -> list[tuple[int, int]]:
    height = max(MIN_STRIP_ROWS, STRIP_BYTES // (m * np.dtype(real).itemsize))
    height = min(height, most_rows or height)
    return [(start, min(start + height, n)) for start in range(0, n, height)]


def _split(start: int, stop: int, strip: NDArray[Real]) -> Blocks[Real]:
    height = max(1, BLOCK_BYTES // strip[0].nbytes)
    for first in range(start, stop, height):
        last = min(first + height, stop)
        yield first, last, strip[first - start : last - start]


def _with_all_columns(blocks: Blocks[Real]) -> Panels[Real]:
    for start, stop, block in blocks:
        yield start, stop, ALL_COLUMNS, block
