"""Compiled loops over the arcs of a graph, for its shortest paths."""

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
