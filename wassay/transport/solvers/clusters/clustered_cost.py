"""Costs between clustered points; scans leave out pairs of clusters that are far apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Real
from wassay.transport.costs.point_cost import ALL_COLUMNS, Columns
from wassay.transport.solvers.clusters.cluster_bounds import ClusterBounds
from wassay.transport.solvers.clusters.clustered_points import ClusteredPoints
from wassay.transport.solvers.prepared_cost import (
    BLOCK_BYTES,
    FLOAT32_EXPONENTS,
    STRIP_BYTES,
    Panels,
    PreparedCost,
    Result,
)
from wassay.transport.thread_pool import ThreadPool

# Many small matrix products, one for each pair of small clusters, would be slow.
MAX_STORED_PAIRS = 2**24
"""Costs of up to this many pairs are stored."""

MAX_READ_WHOLE = 2**20
"""Up to this many stored costs are all read: that takes less time than to find near clusters."""

_POINTS_AT_A_TIME = 4096
"""The number of points that are compared with one point of each cluster at a time."""


@dataclass(frozen=True, eq=False)
class _Strip:
    """Rows start … stop − 1, all of one cluster, and the columns to read for them."""

    start: int
    stop: int
    columns: Columns


class ClusteredCost(PreparedCost):
    """Costs between points that are ordered by cluster.

    Parameters
    ----------
    cost : ClusteredPoints
    exponent, lowest, largest, memory_budget_bytes, threads
        See `PreparedCost`.
    """

    def __init__(
        self,
        cost: ClusteredPoints,
        exponent: int,
        lowest: float,
        largest: float,
        memory_budget_bytes: int | None,
        threads: ThreadPool,
    ) -> None:
        super().__init__(cost, exponent, lowest, largest, memory_budget_bytes, threads)
        self._points = cost
        self.clusters = cost.clusters

    @cached_property
    def bounds(self) -> ClusterBounds:
        """Bounds on the costs between whole clusters, in units of the scaled costs."""
        return ClusterBounds(self._points, 2.0**-self.exponent)

    def materialize(self) -> None:
        """Store the costs in float32, if the budget and `MAX_STORED_PAIRS` allow."""
        # Of more costs, scans usually read only a few.
        if math.prod(self.shape) <= MAX_STORED_PAIRS:
            super().materialize()

    def materialize_all(self) -> None:
        """Store the costs in float32, if the budget allows."""
        super().materialize()

    def near_share(self, f: NDArray[np.float64], g: NDArray[np.float64], reach: float) -> float:
        """Return the share of all pairs that `map_near_blocks` reads with these arguments."""
        rows, columns = np.diff(self.bounds.row_starts), np.diff(self.bounds.column_starts)
        near = self._clusters_within(reach, f, g)
        return float(rows @ near @ columns) / math.prod(self.shape)

    def map_near_blocks(
        self,
        work: Callable[[Panels[np.float64]], Result],
        f: NDArray[np.float64],
        g: NDArray[np.float64],
        reach: float,
    ) -> Iterator[Result]:
        """Yield `work(panels)` for every strip of rows, in order, with costs in float64.

        Pairs with C_ij − f_i − g_j of at least `reach` may be left out.
        """
        read = partial(self._panels, self._exact)
        return self.threads.map(
            lambda strip: work(read(strip)), self._near_strips(f, g, reach, np.float64)
        )

    def map_near_float32_blocks(
        self,
        work: Callable[[Panels[np.float32]], Result],
        f: NDArray[np.float64],
        g: NDArray[np.float64],
        reach: float,
    ) -> Iterator[Result]:
        """Yield `work(panels)` like `map_near_blocks`, with costs in float32.

        The columns that are read are those of the clusters that `near_clusters` marks.
        """
        read = partial(self._panels, self._single)
        return self.threads.map(
            lambda strip: work(read(strip)), self._near_strips(f, g, reach, np.float32)
        )

    def unread_from(self, reach: float) -> float:
        """Return a lower bound on the reduced costs of pairs that `map_near_blocks` leaves out."""
        return reach

    def near_clusters(
        self, f: NDArray[np.float64], g: NDArray[np.float64], reach: float
    ) -> NDArray[np.bool_]:
        """Mark the clusters of columns to read in float32 for each cluster of rows, shape (k, k).

        If the costs are few and stored, all clusters of columns are marked.
        """
        if self.stored is not None and self.stored.size <= MAX_READ_WHOLE:
            return np.ones((self.clusters.number, self.clusters.number), dtype=bool)
        return self._clusters_within(reach, f, g)

    def ceiling_of_rows(self, g: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return an upper bound on min_j (C_ij − g_j) for each row i."""
        # It is the minimum over one column of each cluster.
        columns = self.bounds.representative_columns(g)
        n, _ = self.shape
        return np.concatenate(
            [
                (self.sample(some, columns).matrix() - g[columns]).min(axis=1)
                for some in np.split(np.arange(n), range(_POINTS_AT_A_TIME, n, _POINTS_AT_A_TIME))
            ]
        )

    def ceiling_of_columns(self, f: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return an upper bound on min_i (C_ij − f_i) for each column j."""
        # It is the minimum over one row of each cluster.
        rows = self.bounds.representative_rows(f)
        _, m = self.shape
        return np.concatenate(
            [
                (self.sample(rows, some).matrix() - f[rows, None]).min(axis=0)
                for some in np.split(np.arange(m), range(_POINTS_AT_A_TIME, m, _POINTS_AT_A_TIME))
            ]
        )

    def _clusters_within(
        self, reach: float, f: NDArray[np.float64], g: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Mark the clusters of columns to read for each cluster of rows, shape (k, k).

        Those are read whose reduced costs may be below `reach`; if there are none, the one with the
        lowest bound.
        """
        closest = self.bounds.least_reduced_costs(f, g)
        nearest = np.nextafter(closest.min(axis=1), np.inf)
        within: NDArray[np.bool_] = closest < np.maximum(reach, nearest)[:, None]
        return within

    def _exact(self, start: int, stop: int, columns: Columns) -> NDArray[np.float64]:
        return self._scaled(self._points.block(start, stop, columns))

    def _single(self, start: int, stop: int, columns: Columns) -> NDArray[np.float32]:
        if self.stored is not None:
            # Rows are indexed before columns, because one index of both gives no contiguous array.
            return np.ascontiguousarray(self.stored[start:stop][:, columns])
        if abs(self.exponent) > FLOAT32_EXPONENTS:
            return self._exact(start, stop, columns).astype(np.float32)
        return self._points.float32_block(start, stop, columns) * np.float32(2.0**-self.exponent)

    def _tiled_points(self) -> None:
        """Return None: `has_tiles` is false, because few columns are read for each row."""

    def _near_strips(
        self, f: NDArray[np.float64], g: NDArray[np.float64], reach: float, real: type[Real]
    ) -> Iterator[_Strip]:
        """Yield the strips of rows of `map_near_blocks`, each with the columns to read.

        `real` is the type of the costs to read.
        """
        near = (
            self.near_clusters(f, g, reach)
            if real is np.float32
            else self._clusters_within(reach, f, g)
        )
        labels = self.clusters.column_labels
        size = np.dtype(real).itemsize
        for cluster, (start, stop) in enumerate(pairwise(self.bounds.row_starts)):
            if start == stop:
                continue
            some = near[cluster][labels]
            everything = bool(some.all())
            columns: Columns = ALL_COLUMNS if everything else np.flatnonzero(some)
            number = int(np.count_nonzero(some))
            height = max(1, STRIP_BYTES // (number * size))
            for first in range(start, stop, height):
                yield _Strip(first, min(first + height, stop), columns)

    def _panels(
        self,
        read: Callable[[int, int, Columns], NDArray[Real]],
        strip: _Strip,
    ) -> Panels[Real]:
        costs = read(strip.start, strip.stop, strip.columns)
        height = max(1, BLOCK_BYTES // costs[0].nbytes)
        for first in range(0, len(costs), height):
            block = costs[first : first + height]
            yield strip.start + first, strip.start + first + len(block), strip.columns, block
