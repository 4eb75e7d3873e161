"""Find, for each row or column, the pairs with the smallest reduced costs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared_cost import Blocks, PreparedCost

# Every strip of rows keeps candidates for each of these columns. With all columns at once, a
# problem of 200,000 × 60,000 would take 42 GB.
COLUMNS_AT_A_TIME = 1024
"""The number of columns whose cheapest rows are found together."""


def cheapest_of_rows(
    cost: PreparedCost,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    g: NDArray[np.float32],
    number: int,
) -> Plan:
    """Return the pairs of each row with the smallest C_ij − g_j.

    Parameters
    ----------
    cost : PreparedCost
    rows, columns : ndarray of int
        Ascending indices of the rows, and of the columns to choose from.
    g : ndarray, shape (m,)
        Potentials of all columns.
    number : int
        Number of pairs to return for each row; all if there are fewer.

    Returns
    -------
    Plan
        The pairs, with zero mass.
    """
    from wassay.transport.solvers.entropic.compiled_scans import cheapest_columns

    number = min(number, len(columns))
    if not len(rows) or not number:
        return _without_mass(rows[:0], columns[:0])
    potentials = g[columns]

    def cheapest(blocks: Blocks[np.float32]) -> list[NDArray[np.intp]]:
        return [cheapest_columns(block, potentials, number) for _, _, block in blocks]

    strips = cost.sample(rows, columns).map_float32_blocks(cheapest)
    found = np.concatenate([block for strip in strips for block in strip])
    return _without_mass(np.repeat(rows, number), columns[found.ravel()])


def cheapest_of_columns(
    cost: PreparedCost,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    f: NDArray[np.float32],
    number: int,
) -> Plan:
    """Return the pairs of each column with the smallest C_ij − f_i.

    Parameters
    ----------
    cost : PreparedCost
    rows, columns : ndarray of int
        Ascending indices of the rows to choose from, and of the columns.
    f : ndarray, shape (n,)
        Potentials of all rows.
    number : int
        Number of pairs to return for each column; all if there are fewer.

    Returns
    -------
    Plan
        The pairs, with zero mass.
    """
    number = min(number, len(rows))
    if not len(columns) or not number:
        return _without_mass(rows[:0], columns[:0])
    groups = np.split(columns, range(COLUMNS_AT_A_TIME, len(columns), COLUMNS_AT_A_TIME))
    found = [_rows_of(cost.sample(rows, group), f[rows], number) for group in groups]
    return _without_mass(rows[np.concatenate(found).ravel()], np.repeat(columns, number))


def _rows_of(cost: PreparedCost, f: NDArray[np.float32], number: int) -> NDArray[np.intp]:
    """Return the rows with the smallest C_ij − f_i for each column; shape (m, number)."""
    from wassay.transport.solvers.entropic.compiled_scans import cheapest_rows

    _, m = cost.shape

    def cheapest(blocks: Blocks[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        smallest = np.full((m, number), np.inf, np.float32)
        found = np.zeros((m, number), np.intp)
        for start, stop, block in blocks:
            cheapest_rows(block, f[start:stop], start, smallest, found)
        return smallest, found

    strips = list(cost.map_float32_blocks(cheapest))
    smallest, found = (np.concatenate(each, axis=1) for each in zip(*strips, strict=True))
    order = np.argsort(smallest, axis=1, kind="stable")[:, :number]
    rows: NDArray[np.intp] = np.take_along_axis(found, order, axis=1)
    return rows


def _without_mass(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Plan:
    return Plan(rows, columns, np.zeros(len(rows)))
