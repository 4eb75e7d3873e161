"""Compiled loops over pairs of points, for the arcs between a plan's components."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled, compiled_in_any_order


@compiled_in_any_order
def lower_to_block(
    between: NDArray[np.float64],
    block: NDArray[np.float64],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    row_component: NDArray[np.intp],
    column_component: NDArray[np.intp],
) -> None:
    """Update the smallest reduced costs between components, with one more block of rows.

    Parameters
    ----------
    between : ndarray, shape (count, count)
        Smallest reduced cost so far from each component to each; lowered in place.
    block : ndarray, shape (r, m)
        Costs of the block's rows.
    f, row_component : ndarray, shape (r,)
        Potentials and components of the block's rows; component −1 for rows without mass.
    g, column_component : ndarray, shape (m,)
        The same for the columns, but the potential of columns without mass is −inf.
    """
    reduced = np.empty(len(g))
    for row in range(len(block)):
        tail = row_component[row]
        if tail < 0:
            continue
        # Only this loop is vectorised, as the other writes wherever the components say.
        for column in range(len(g)):
            reduced[column] = max(block[row, column] - f[row] - g[column], 0.0)
        from_tail = between[tail]
        for column in range(len(g)):
            head = column_component[column]
            from_tail[head] = min(from_tail[head], reduced[column])


@compiled
def cheapest_by_stripe(
    block: NDArray[np.float64],
    first: int,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    row_component: NDArray[np.intp],
    column_component: NDArray[np.intp],
    row_cheapest: NDArray[np.float64],
    row_partner: NDArray[np.intp],
    column_cheapest: NDArray[np.float64],
    column_partner: NDArray[np.intp],
) -> None:
    """Update the cheapest arc between each point and each stripe, with one more block of rows.

    Stripes divide the points of each side: point i belongs to stripe i mod k. So every point gets
    up to k arcs. Arcs within one component are left out.

    Parameters
    ----------
    block : ndarray, shape (r, m)
        Costs of the block's rows.
    first : int
        Index of the block's first row.
    f, row_component : ndarray, shape (n,)
        Potentials and components of all rows; component −1 for rows without mass.
    g, column_component : ndarray, shape (m,)
        The same for the columns.
    row_cheapest, row_partner : ndarray, shape (n, k)
        Reduced cost and column of each row's cheapest arc into each stripe; updated in place.
    column_cheapest, column_partner : ndarray, shape (k, m)
        Reduced cost and row of each column's cheapest arc from each stripe; updated in place.
    """
    stripes = len(column_cheapest)
    for index in range(len(block)):
        row = first + index
        tail = row_component[row]
        if tail < 0:
            continue
        stripe = row % stripes
        other = 0
        for column in range(len(g)):
            head = column_component[column]
            reduced = block[index, column] - f[row] - g[column]
            if head >= 0 and head != tail:
                if reduced < column_cheapest[stripe, column]:
                    column_cheapest[stripe, column], column_partner[stripe, column] = reduced, row
                if reduced < row_cheapest[row, other]:
                    row_cheapest[row, other], row_partner[row, other] = reduced, column
            other += 1
            if other == stripes:
                other = 0


@compiled
def shortening_pairs(
    block: NDArray[np.float64],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    row_component: NDArray[np.intp],
    column_component: NDArray[np.intp],
    potential: NDArray[np.float64],
    after_tail: NDArray[np.intp],
    before_head: NDArray[np.intp],
    row_bounds: NDArray[np.float64],
    column_bounds: NDArray[np.float64],
    rounding: float,
) -> NDArray[np.intp]:
    """Return the flat indices of the pairs whose arcs shorten a path to or from a landmark.

    Parameters
    ----------
    block : ndarray, shape (r, m)
        Costs of the block's rows.
    f, row_component : ndarray, shape (r,)
        Potentials and components of the block's rows.
    g, column_component : ndarray, shape (m,)
        The same for the columns.
    potential : ndarray, shape (count, 2 l)
        Each component's distances from the l landmarks, then the negatives of its distances to the
        landmarks. Shortened in place, so that later pairs are compared with the shorter paths.
    after_tail, before_head : ndarray of int, shape (count,)
        For each component, the landmark to which it is nearest, and the one nearest to it.
    row_bounds, column_bounds : ndarray, shapes (2, r) and (2, m)
        A pair is skipped if it costs at least row_bounds[c, i] + column_bounds[c, j] for c = 0 and
        for c = 1. The bounds are −inf for points without mass.
    rounding : float
        An arc must shorten a path by more than this.

    Returns
    -------
    ndarray of int
        Indices into the flattened block, ascending.
    """
    landmarks = potential.shape[1] // 2
    indices = np.empty(block.size, np.intp)
    found = 0
    for row in range(len(block)):
        tail = row_component[row]
        low, high = row_bounds[0, row], row_bounds[1, row]
        for column in range(len(g)):
            bound = max(low + column_bounds[0, column], high + column_bounds[1, column])
            if block[row, column] < bound:
                head = column_component[column]
                reduced = max(block[row, column] - f[row] - g[column], 0.0)
                # No path leads farther than through a landmark near one of its ends.
                after, before = landmarks + after_tail[tail], landmarks + before_head[head]
                if reduced >= min(
                    potential[head, after_tail[tail]] - potential[tail, after],
                    potential[head, before_head[head]] - potential[tail, before],
                ):
                    continue
                shortens = False
                for away in range(landmarks):
                    through = potential[tail, away] + reduced
                    if through < potential[head, away] - rounding:
                        potential[head, away] = through
                        shortens = True
                for back in range(landmarks, 2 * landmarks):
                    through = potential[head, back] - reduced
                    if through > potential[tail, back] + rounding:
                        potential[tail, back] = through
                        shortens = True
                if shortens:
                    indices[found] = row * len(g) + column
                    found += 1
    return indices[:found].copy()


@compiled
def still_shortest(
    tails: NDArray[np.intp],
    heads: NDArray[np.intp],
    lengths: NDArray[np.float64],
    potential: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Mark the arcs on which some path to or from a landmark is no longer than the known one.

    Parameters
    ----------
    tails, heads, lengths : ndarray, shape (arcs,)
    potential : ndarray, shape (count, 2 l)
        As `shortening_pairs` leaves it.

    Returns
    -------
    ndarray of bool, shape (arcs,)
    """
    landmarks = potential.shape[1] // 2
    marked = np.zeros(len(tails), np.bool_)
    for arc in range(len(tails)):
        tail, head, length = tails[arc], heads[arc], lengths[arc]
        for away in range(landmarks):
            back = landmarks + away
            if (
                potential[tail, away] + length <= potential[head, away]
                or potential[head, back] - length >= potential[tail, back]
            ):
                marked[arc] = True
                break
    return marked
