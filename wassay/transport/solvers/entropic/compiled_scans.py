"""Compiled scans over blocks of costs: Sinkhorn's iteration, and the search for cheap pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled_in_any_order

_LOG2_E = np.float32(1 / np.log(2))
_MIN_EXPONENT, _MAX_EXPONENT = np.float32(-43), np.float32(57)
"""Range of the base-2 exponents; values outside are clipped."""

_EXPONENT_BIAS, _MANTISSA_BITS = np.float32(127), np.int32(23)
"""Layout of float32: the bits of 2ᵏ are k + bias, shifted by the width of the mantissa."""

_HALF, _ONE = np.float32(0.5), np.float32(1)
_C1, _C2 = np.float32(0.6931472), np.float32(0.2402265)
"""Coefficients (ln 2)ᵏ/k! of x and x² in 2ˣ."""

_C3, _C4 = np.float32(0.0555041), np.float32(0.0096181)
"""Coefficients (ln 2)ᵏ/k! of x³ and x⁴ in 2ˣ; they give five digits for |x| ≤ 1/2."""

_ENTRIES_IN_CACHE = 2**17
"""Number of costs that are copied at a time."""

# If the arrays that a compiled loop reads and writes are less than one step apart, the loop sums in
# another order. The bits of a result would then depend on where small arrays lie in memory.
_APART = 256
"""Number of unused entries around arrays that a loop writes while it sums."""

# Reading only some columns takes a copy of their costs.
MAX_COPIED_SHARE = 2 / 3
"""A pass over a cluster that would read more than this share of the columns reads all of them."""

_COUNTED_AT_A_TIME = 64
"""Entries below a minimum are counted first, this many at a time: only counts are vectorised."""

_TINY, _HUGE = np.float32(1e-30), np.float32(1e30)
_MAX_FLOAT32 = np.float32(np.finfo(np.float32).max)


@compiled_in_any_order
def sinkhorn_pass(
    block: NDArray[np.float32],
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    row_weights: NDArray[np.float32],
    column_weights: NDArray[np.float32],
    squared_weights: NDArray[np.float32],
    epsilon: np.float32,
    column_sums: NDArray[np.float32],
) -> float:
    """Update the potentials of a block's rows, and add the block's terms to the column sums.

    Parameters
    ----------
    block : ndarray, shape (h, m)
        Costs of the block's rows.
    f, row_weights : ndarray, shape (h,)
        Potentials and weights of the block's rows; f is updated in place.
    g, column_weights : ndarray, shape (m,)
        Potentials and weights of the columns.
    squared_weights : ndarray, shape (m,)
        Squares of the column weights, times any constant c.
    epsilon : float
    column_sums : ndarray, shape (m,)
        Σ_i a_i exp((f_i + g_j − C_ij)/ε), with the new f, is added in place.

    Returns
    -------
    float
        Σ_i a_i log(c Σ_j p_ij²), where p_ij is the share of row i's mass that is in column j.
    """
    scale = _LOG2_E / epsilon
    buffers = np.empty((2, len(g) + 2 * _APART), np.float32)
    kernel, other_kernel = buffers[0, _APART:-_APART], buffers[1, _APART:-_APART]
    concentration = 0.0
    # Two rows at a time take half as long as one after the other. A last row without another is
    # its own, which then counts nothing.
    for row in range(0, len(block), 2):
        other = min(row + 1, len(block) - 1)
        weight, other_weight = row_weights[row], row_weights[other] * np.float32(other > row)
        potential, other_potential = f[row], f[other]
        total, other_total = np.float32(0), np.float32(0)
        squares, other_squares = np.float32(0), np.float32(0)
        for column in range(len(g)):
            entry = _power_of_two((potential + g[column] - block[row, column]) * scale)
            other_entry = _power_of_two(
                (other_potential + g[column] - block[other, column]) * scale
            )
            kernel[column], other_kernel[column] = entry, other_entry
            total += entry * column_weights[column]
            other_total += other_entry * column_weights[column]
            squares += entry * entry * squared_weights[column]
            other_squares += other_entry * other_entry * squared_weights[column]
        total = min(max(total, _TINY), _HUGE)
        other_total = min(max(other_total, _TINY), _HUGE)
        f[row] = potential - epsilon * np.log(total)
        f[other] = other_potential - epsilon * np.log(other_total)
        concentration += weight * (np.log(max(squares, _TINY)) - 2 * np.log(total))
        concentration += other_weight * (
            np.log(max(other_squares, _TINY)) - 2 * np.log(other_total)
        )
        sent, other_sent = weight / total, other_weight / other_total
        for column in range(len(g)):
            column_sums[column] += sent * kernel[column] + other_sent * other_kernel[column]
    return concentration


@compiled_in_any_order
def clustered_pass(
    costs: NDArray[np.float32],
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    row_weights: NDArray[np.float32],
    column_weights: NDArray[np.float32],
    squared_weights: NDArray[np.float32],
    epsilon: np.float32,
    row_starts: NDArray[np.intp],
    ranges: NDArray[np.intp],
    first: int,
    last: int,
    column_sums: NDArray[np.float32],
) -> float:
    """Update the potentials of the rows of some clusters, as `sinkhorn_pass` does.

    Parameters
    ----------
    costs : ndarray, shape (n, m)
    f, row_weights : ndarray, shape (n,)
        f is updated in place.
    g, column_weights, squared_weights : ndarray, shape (m,)
        See `sinkhorn_pass`.
    epsilon : float
    row_starts : ndarray of int, shape (k + 1,)
        First row of each cluster; the last entry is the number of rows.
    ranges : ndarray of int, shape (r, 3)
        The columns to read for the rows of each cluster; see `near_ranges`.
    first, last : int
        Clusters of rows to update: first … last − 1.
    column_sums : ndarray, shape (k, m)
        Zeros, to be replaced by the column sums of `sinkhorn_pass` over each cluster of rows.

    Returns
    -------
    float
        The sum that `sinkhorn_pass` returns, over the rows of these clusters.
    """
    concentration = 0.0
    for cluster in range(first, last):
        limits = np.searchsorted(ranges[:, 0], np.array([cluster, cluster + 1]))
        own = ranges[limits[0] : limits[1], 1:]
        width = (own[:, 1] - own[:, 0]).sum()
        if width > MAX_COPIED_SHARE * len(g):
            rows = slice(row_starts[cluster], row_starts[cluster + 1])
            concentration += sinkhorn_pass(
                costs[rows],
                f[rows],
                g,
                row_weights[rows],
                column_weights,
                squared_weights,
                epsilon,
                column_sums[cluster],
            )
            continue
        known, sums = np.empty((3, width), np.float32), np.zeros(width, np.float32)
        _copy_ranges(g, own, known[0])
        _copy_ranges(column_weights, own, known[1])
        _copy_ranges(squared_weights, own, known[2])
        height = row_starts[cluster + 1] - row_starts[cluster]
        height = min(height, max(1, _ENTRIES_IN_CACHE // max(1, width)))
        block = np.empty((height, width), np.float32)
        for start in range(row_starts[cluster], row_starts[cluster + 1], max(1, height)):
            stop = min(start + height, row_starts[cluster + 1])
            for row in range(start, stop):
                _copy_ranges(costs[row], own, block[row - start])
            concentration += sinkhorn_pass(
                block[: stop - start],
                f[start:stop],
                known[0],
                row_weights[start:stop],
                known[1],
                known[2],
                epsilon,
                sums,
            )
        place = 0
        for index in range(len(own)):
            for column in range(own[index, 0], own[index, 1]):
                column_sums[cluster, column] = sums[place]
                place += 1
    return concentration


@compiled_in_any_order
def _copy_ranges(
    values: NDArray[np.float32], ranges: NDArray[np.intp], out: NDArray[np.float32]
) -> None:
    """Copy ranges of `values` to `out`, one after the other.

    Each row of `ranges` has the first index of a range, and the index after its last.
    """
    place = 0
    for index in range(len(ranges)):
        some = values[ranges[index, 0] : ranges[index, 1]]
        copied = out[place : place + len(some)]
        for entry in range(len(some)):
            copied[entry] = some[entry]
        place += len(some)


@compiled_in_any_order
def extend_potentials(
    block: NDArray[np.float32],
    known: NDArray[np.intp],
    g: NDArray[np.float32],
    epsilon: np.float32,
    f: NDArray[np.float32],
    column_minima: NDArray[np.float32],
) -> None:
    """Compute the potentials of a block's rows from columns with known potentials.

    Parameters
    ----------
    block : ndarray, shape (h, m)
        Costs of the block's rows.
    known : ndarray of int, shape (l,)
        Columns with known potentials.
    g : ndarray, shape (l,)
        The potentials of the columns in `known`.
    epsilon : float
    f : ndarray, shape (h,)
        Set to −ε log of the mean of exp((g_j − C_ij)/ε) over the known columns j.
    column_minima : ndarray, shape (m,)
        Smallest C_ij − f_i of each column so far; updated in place.
    """
    scale = _LOG2_E / epsilon
    reduced = np.empty_like(g)
    for row in range(len(block)):
        minimum = _MAX_FLOAT32
        for index in range(len(g)):
            reduced[index] = block[row, known[index]] - g[index]
            minimum = min(minimum, reduced[index])
        total = np.float32(0)
        for index in range(len(g)):
            total += _power_of_two((minimum - reduced[index]) * scale)
        f[row] = minimum - epsilon * np.log(total / np.float32(len(g)))
        for column in range(len(column_minima)):
            column_minima[column] = min(column_minima[column], block[row, column] - f[row])


@compiled_in_any_order
def add_soft_minima(
    panel: NDArray[np.float32],
    g: NDArray[np.float32],
    epsilon: np.float32,
    minima: NDArray[np.float32],
    totals: NDArray[np.float32],
) -> None:
    """Add some columns to every row's soft minimum, −ε log Σ_j exp((g_j − C_ij)/ε).

    A soft minimum is kept as two numbers: minimum − ε log(total).

    Parameters
    ----------
    panel : ndarray, shape (h, w)
        Costs.
    g : ndarray, shape (w,)
        Potentials of the columns to add.
    epsilon : float
    minima : ndarray, shape (h,)
        Smallest C_ij − g_j of the row so far; updated in place.
    totals : ndarray, shape (h,)
        Sum of exp((minimum + g_j − C_ij)/ε) so far; updated in place.
    """
    scale = _LOG2_E / epsilon
    for row in range(len(panel)):
        minimum = minima[row]
        for first in range(0, len(g), _COUNTED_AT_A_TIME):
            costs = panel[row, first : first + _COUNTED_AT_A_TIME]
            potentials = g[first : first + _COUNTED_AT_A_TIME]
            lower = np.int32(0)
            for column in range(len(costs)):
                lower += (
                    np.int32(1) if costs[column] - potentials[column] < minimum else np.int32(0)
                )
            if lower:
                for column in range(len(costs)):
                    minimum = min(minimum, costs[column] - potentials[column])
        total = np.float32(0)
        for column in range(len(g)):
            total += _power_of_two((minimum + g[column] - panel[row, column]) * scale)
        totals[row] = total + totals[row] * _power_of_two((minimum - minima[row]) * scale)
        minima[row] = minimum


@compiled_in_any_order
def cheapest_columns(
    block: NDArray[np.float32], g: NDArray[np.float32], number: int
) -> NDArray[np.intp]:
    """Return, for every row, the columns with the smallest C_ij − g_j.

    Parameters
    ----------
    block : ndarray, shape (h, m)
        Costs.
    g : ndarray, shape (m,)
        The columns' potentials.
    number : int
        How many columns of each row, at most m.

    Returns
    -------
    ndarray of int, shape (h, number)
        In each row, by ascending C_ij − g_j.
    """
    columns = np.zeros((len(block), number), np.intp)
    smallest = np.empty(number, np.float32)
    for row in range(len(block)):
        smallest[:] = _MAX_FLOAT32
        for column in range(len(g)):
            reduced = block[row, column] - g[column]
            if reduced < smallest[number - 1]:
                place = number - 1
                while place > 0 and reduced < smallest[place - 1]:
                    smallest[place], columns[row, place] = (
                        smallest[place - 1],
                        columns[row, place - 1],
                    )
                    place -= 1
                smallest[place], columns[row, place] = reduced, column
    return columns


@compiled_in_any_order
def cheapest_rows(
    block: NDArray[np.float32],
    f: NDArray[np.float32],
    first_row: int,
    smallest: NDArray[np.float32],
    rows: NDArray[np.intp],
) -> None:
    """Update each column's list of the rows with the smallest C_ij − f_i, with one more block.

    Parameters
    ----------
    block : ndarray, shape (h, m)
        Costs.
    f : ndarray, shape (h,)
        Potentials of the block's rows.
    first_row : int
        Index of the block's first row among all rows.
    smallest, rows : ndarray, shape (m, k)
        The k smallest C_ij − f_i of each column so far, ascending, and their rows; updated in
        place.
    """
    last = smallest.shape[1] - 1
    for row in range(len(block)):
        for column in range(len(smallest)):
            reduced = block[row, column] - f[row]
            if reduced < smallest[column, last]:
                place = last
                while place > 0 and reduced < smallest[column, place - 1]:
                    smallest[column, place], rows[column, place] = (
                        smallest[column, place - 1],
                        rows[column, place - 1],
                    )
                    place -= 1
                smallest[column, place], rows[column, place] = reduced, first_row + row


@compiled_in_any_order
def _power_of_two(exponent: np.float32) -> np.float32:
    """Return 2 to the power of `exponent`, to five digits."""
    bounded = min(max(exponent, _MIN_EXPONENT), _MAX_EXPONENT)
    biased = np.int32(bounded + _EXPONENT_BIAS + _HALF)
    rest = bounded - (np.float32(biased) - _EXPONENT_BIAS)
    mantissa = _ONE + rest * (_C1 + rest * (_C2 + rest * (_C3 + rest * _C4)))
    power: np.float32 = mantissa * np.int32(biased << _MANTISSA_BITS).view(np.float32)
    return power
