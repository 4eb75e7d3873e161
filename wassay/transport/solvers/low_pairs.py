"""Find all pairs with low reduced costs in one scan in float32."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.prepared_cost import Panels, PreparedCost, Result

Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Search:
    """A search for the pairs with C_ij − g_j at most their row's limit, in float32.

    Attributes
    ----------
    g, limits : ndarray, shapes (m,) and (n,)
        The potentials g_j of the columns, and the limits of the rows.
    most : int
        Once this search has found more than `most` pairs, all searches may end.
    """

    g: Singles
    limits: Singles
    most: int


@dataclass(frozen=True, eq=False)
class LowPairs:
    """Pairs that were found, with their costs in float32.

    Attributes
    ----------
    rows, columns : ndarray of int32, shape (l,)
    costs : ndarray, shape (l,)
    """

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    costs: Singles


def map_low_pairs(
    cost: PreparedCost,
    work: Callable[[list[LowPairs]], Result],
    searches: Sequence[Search],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    reach: float,
) -> Iterator[Result]:
    """Yield `work(found)` for every strip of rows, in order.

    `found` has, for each search, the pairs that it found in the strip.

    Parameters
    ----------
    cost : PreparedCost
    work : callable
    searches : sequence of Search
        Each looks for pairs by potentials and limits of its own.
    f, g : ndarray, shapes (n,) and (m,)
        Potentials of the rows and columns, which only decide what may be left out.
    reach : float
        Pairs whose C_ij − f_i − g_j is at least this may be left out of every search.
    """
    # How many pairs each search may still find; all searches lower these numbers in place.
    remaining = [each.most for each in searches]
    if isinstance(cost, ClusteredCost) and cost.stored is not None:
        near = cost.near_clusters(f, g, reach)
        return _of_clusters(cost, cost.stored, work, searches, remaining, near)
    return cost.map_near_float32_tiles(
        lambda panels: work(_of_panels(panels, searches, remaining)), f, g, reach
    )


def _of_clusters(
    cost: ClusteredCost,
    stored: Singles,
    work: Callable[[list[LowPairs]], Result],
    searches: Sequence[Search],
    remaining: list[int],
    near: NDArray[np.bool_],
) -> Iterator[Result]:
    """Search stored costs; yield `work(found)` for every group of clusters of rows, in order.

    `near` marks the clusters of columns to read for each cluster of rows. `remaining` has how many
    pairs each search may still find; lowered in place.
    """
    from wassay.transport.solvers.clusters.compiled_ranges import (
        low_pairs_of_clusters,
        near_ranges,
    )

    row_starts = cost.clusters.row_starts
    ranges = near_ranges(near, cost.clusters.column_starts)

    def find(group: tuple[int, int]) -> Result:
        found = []
        for number, each in enumerate(searches):
            rows, columns, costs = low_pairs_of_clusters(
                stored, each.g, each.limits, row_starts, ranges, *group, max(remaining[number], 0)
            )
            remaining[number] -= len(rows)
            found.append(LowPairs(rows, columns, costs))
        return work(found)

    return cost.threads.map(find, cost.clusters.groups(stored.size))


def _of_panels(
    panels: Panels[np.float32], searches: Sequence[Search], remaining: list[int]
) -> list[LowPairs]:
    """Return the pairs that each search finds in the panels of one strip.

    `remaining` has how many pairs each search may still find; lowered in place.
    """
    from wassay.transport.solvers.entropic.tile_scans import rare_indices

    all_columns = np.arange(len(searches[0].g), dtype=np.int32)
    found: list[list[LowPairs]] = [[_NONE] for _ in searches]
    for start, stop, some, panel in panels:
        if min(remaining) < 0:
            break  # one search has found too many pairs, so all may end
        for number, each in enumerate(searches):
            indices = rare_indices(panel, each.g[some], each.limits[start:stop])
            rows, columns = np.divmod(indices, panel.shape[1])
            rows += start
            pairs = LowPairs(
                rows.astype(np.int32), all_columns[some][columns], panel.ravel()[indices]
            )
            found[number].append(pairs)
            remaining[number] -= len(indices)
    return [joined(pairs) for pairs in found]


def joined(parts: Sequence[LowPairs]) -> LowPairs:
    """Return the pairs of all parts."""
    return LowPairs(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.columns for part in parts]),
        np.concatenate([part.costs for part in parts]),
    )


_NONE = LowPairs(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
