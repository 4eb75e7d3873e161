"""Compiled loops for shortest paths between the components of a plan.

One computes paths from many nodes at once. The others scan pairs of points for the cheapest arcs
between components, or for arcs that shorten paths.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled, compiled_in_any_order


@compiled_in_any_order
def relax(
    distances: NDArray[np.float64],
    starts: NDArray[np.intp],
    heads: NDArray[np.intp],
    lengths: NDArray[np.float64],
    order: NDArray[np.intp],
    changed: NDArray[np.bool_],
    sweeps: int,
) -> None:
    """Lower the distances from all sources at once along arcs, by Bellman–Ford.

    Parameters
    ----------
    distances : ndarray, shape (nodes, l)
        Upper bounds on the distances from l sources to all nodes; lowered in place.
    starts : ndarray of int, shape (nodes + 1,)
        The arcs out of node i are those from starts[i] to starts[i + 1] − 1.
    heads, lengths : ndarray, shape (arcs,)
        Head and length of each arc.
    order : ndarray of int, shape (nodes,)
        All nodes, in the order in which each sweep visits them.
    changed : ndarray of bool, shape (nodes,)
        Nodes whose distances are new. If any is true afterwards, distances can still be lowered.
    sweeps : int
        Maximum number of sweeps over the nodes.
    """
    for _ in range(sweeps):
        pending = False
        for tail in order:
            if not changed[tail]:
                continue
            changed[tail] = False
            from_tail = distances[tail]
            for arc in range(starts[tail], starts[tail + 1]):
                head, length = heads[arc], lengths[arc]
                to_head = distances[head]
                shorter = 0
                for source in range(len(to_head)):
                    through = from_tail[source] + length
                    shorter += through < to_head[source]
                    to_head[source] = min(to_head[source], through)
                if shorter:
                    changed[head] = True
                    pending = True
        if not pending:
            return


@compiled
def settle(
    distances: NDArray[np.float64],
    starts: NDArray[np.intp],
    heads: NDArray[np.intp],
    lengths: NDArray[np.float64],
    changed: NDArray[np.bool_],
) -> None:
    """Compute the shortest distances from one source, by Dijkstra's algorithm.

    Parameters
    ----------
    distances : ndarray, shape (nodes,)
        Upper bounds on the distances; lowered in place.
    starts, heads, lengths
        As `relax` takes them.
    changed : ndarray of bool, shape (nodes,)
        Nodes whose distances may be new. The arcs out of all others shorten nothing.
    """
    queue = [(distances[node], node) for node in np.flatnonzero(changed)]
    heapify(queue)
    while len(queue):
        distance, tail = heappop(queue)
        if distance > distances[tail]:
            continue
        for arc in range(starts[tail], starts[tail + 1]):
            head, through = heads[arc], distance + lengths[arc]
            if through < distances[head]:
                distances[head] = through
                heappush(queue, (through, head))


@compiled
def shortest_by_tail(
    tails: NDArray[np.intp], heads: NDArray[np.intp], lengths: NDArray[np.float64], nodes: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Group arcs by their tails, and keep the shortest of those that join the same two nodes.

    Parameters
    ----------
    tails, heads, lengths : ndarray, shape (arcs,)
    nodes : int

    Returns
    -------
    starts, heads, lengths
        As `relax` takes them.
    """
    # Two counting sorts: by the heads, then by the tails.
    order = np.arange(len(tails))
    for keys in (heads, tails):
        ends = np.zeros(nodes + 1, np.intp)
        for arc in range(len(keys)):
            ends[keys[arc] + 1] += 1
        ends = np.cumsum(ends)
        sorted_ = np.empty_like(order)
        for place in range(len(order)):
            key = keys[order[place]]
            sorted_[ends[key]] = order[place]
            ends[key] += 1
        order = sorted_
    starts = np.zeros(nodes + 1, np.intp)
    kept_heads, kept_lengths = np.empty_like(heads), np.empty_like(lengths)
    kept, tail = 0, -1
    for place in range(len(order)):
        arc = order[place]
        if tails[arc] == tail and heads[arc] == kept_heads[kept - 1]:
            kept_lengths[kept - 1] = min(kept_lengths[kept - 1], lengths[arc])
            continue
        tail = tails[arc]
        kept_heads[kept], kept_lengths[kept] = heads[arc], lengths[arc]
        kept += 1
        starts[tail + 1] = kept
    for node in range(nodes):
        starts[node + 1] = max(starts[node + 1], starts[node])
    return starts, kept_heads[:kept].copy(), kept_lengths[:kept].copy()


@compiled
def free_arcs_forward(
    starts: NDArray[np.intp],
    heads: NDArray[np.intp],
    lengths: NDArray[np.float64],
    negligible: float,
) -> NDArray[np.intp]:
    """Order nodes so that arcs of about length zero lead from earlier to later nodes.

    Nodes on or behind a cycle of such arcs come last.

    Parameters
    ----------
    starts, heads, lengths
        As `relax` takes them.
    negligible : float
        Arcs up to this length count as zero.

    Returns
    -------
    ndarray of int, shape (nodes,)
    """
    nodes = len(starts) - 1
    entering = np.zeros(nodes, np.intp)
    for arc in range(len(heads)):
        entering[heads[arc]] += lengths[arc] <= negligible
    order = np.empty(nodes, np.intp)
    ready = 0
    for node in range(nodes):
        if entering[node] == 0:
            order[ready] = node
            ready += 1
    place = 0
    while place < ready:
        tail = order[place]
        place += 1
        for arc in range(starts[tail], starts[tail + 1]):
            if lengths[arc] <= negligible:
                entering[heads[arc]] -= 1
                if entering[heads[arc]] == 0:
                    order[ready] = heads[arc]
                    ready += 1
    for node in range(nodes):
        if entering[node] > 0:
            order[ready] = node
            ready += 1
    return order


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

    There are k stripes: point i of either side belongs to stripe i mod k. Arcs within one component
    are left out.

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
    row_bounds, column_bounds : ndarray, shapes (2, r) and (2, m)
        A pair is skipped if it costs at least row_bounds[c, i] + column_bounds[c, j] for c = 0 and
        for c = 1.
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
