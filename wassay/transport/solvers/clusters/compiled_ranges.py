"""Compiled loops over stored costs, which read ranges of columns for each cluster of rows."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled_in_any_order

Number = TypeVar("Number", np.int32, np.float32)

_COLUMNS_AT_A_TIME = 128
"""The number of entries of a row that are counted together: only counts are vectorised."""

_ROOM = 4096
"""The number of pairs for which there is room at first."""


@compiled_in_any_order
def near_ranges(near: NDArray[np.bool_], column_starts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the ranges of columns to read for each cluster of rows.

    Parameters
    ----------
    near : ndarray of bool, shape (k, k)
        Whether to read, for the rows of one cluster (first index), the columns of another (second).
    column_starts : ndarray of int, shape (k + 1,)
        First column of each cluster; the last entry is the number of columns.

    Returns
    -------
    ndarray of int, shape (r, 3)
        The cluster of rows, the first column of the range, and the column after its last one;
        sorted. Adjacent ranges of one cluster of rows are joined.
    """
    ranges = np.empty((near.size, 3), np.intp)
    number = 0
    for cluster in range(len(near)):
        before = number
        for other in range(len(near)):
            start, stop = column_starts[other], column_starts[other + 1]
            if not near[cluster, other] or start == stop:
                continue
            if number > before and ranges[number - 1, 2] == start:
                ranges[number - 1, 2] = stop
            else:
                ranges[number, 0], ranges[number, 1], ranges[number, 2] = cluster, start, stop
                number += 1
    return ranges[:number].copy()


@compiled_in_any_order
def low_pairs_of_clusters(
    costs: NDArray[np.float32],
    g: NDArray[np.float32],
    limit: NDArray[np.float32],
    row_starts: NDArray[np.intp],
    ranges: NDArray[np.intp],
    first: int,
    last: int,
    most: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """Find the pairs (i, j) with C_ij − g_j at most limit[i], for the rows of some clusters.

    Parameters
    ----------
    costs : ndarray, shape (n, m)
    g, limit : ndarray, shapes (m,) and (n,)
    row_starts : ndarray of int, shape (k + 1,)
        First row of each cluster; the last entry is the number of rows.
    ranges : ndarray of int, shape (r, 3)
        The columns to read; see `near_ranges`.
    first, last : int
        Clusters of rows to read: first … last − 1.
    most : int
        The search ends after the row at which it has found more than `most` pairs.

    Returns
    -------
    rows, columns : ndarray of int32, shape (l,)
        Sorted by row and column.
    costs : ndarray, shape (l,)
        Costs of these pairs.
    """
    rows, columns = np.empty(_ROOM, np.int32), np.empty(_ROOM, np.int32)
    values = np.empty(_ROOM, np.float32)
    found = 0
    for cluster in range(first, last):
        some_ranges = np.searchsorted(ranges[:, 0], np.array([cluster, cluster + 1]))
        for row in range(row_starts[cluster], row_starts[cluster + 1]):
            highest = limit[row]
            for index in range(some_ranges[0], some_ranges[1]):
                stop = ranges[index, 2]
                for begin in range(ranges[index, 1], stop, _COLUMNS_AT_A_TIME):
                    some = costs[row, begin : min(begin + _COLUMNS_AT_A_TIME, stop)]
                    potentials = g[begin : min(begin + _COLUMNS_AT_A_TIME, stop)]
                    low = np.int32(0)
                    for column in range(len(some)):
                        low += (
                            np.int32(1)
                            if some[column] - potentials[column] <= highest
                            else np.int32(0)
                        )
                    if not low:
                        continue
                    if found + low >= len(rows):
                        rows, columns, values = _grown(rows), _grown(columns), _grown(values)
                    for column in range(len(some)):
                        # Always write, and advance only on a hit: a branch would often be
                        # mispredicted.
                        rows[found], columns[found] = row, begin + column
                        values[found] = some[column]
                        found += some[column] - potentials[column] <= highest
            if found > most:
                return rows[:found].copy(), columns[:found].copy(), values[:found].copy()
    return rows[:found].copy(), columns[:found].copy(), values[:found].copy()


@compiled_in_any_order
def _grown(values: NDArray[Number]) -> NDArray[Number]:
    """Return an array of twice the length, which begins with these values."""
    grown = np.empty(2 * len(values), values.dtype)
    grown[: len(values)] = values
    return grown
