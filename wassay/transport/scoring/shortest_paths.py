"""All-pairs shortest paths of a dense graph: start with few arcs, and add what shortens paths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.scoring.arcs import Arcs

ARCS_PER_NODE = 4
"""Number of a node's outgoing and incoming arcs in the first, sparse graph."""

_ROUNDING = 1e-15

_QUANTILE = 0.9
"""Rounding errors are relative to the arc length at this quantile.

Neither a few very long arcs (of far outliers) nor many arcs of length zero change this length.
"""

_SAMPLED_ROWS = 200


def shortest_paths(arcs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the length of the shortest path between each two nodes.

    Parameters
    ----------
    arcs : ndarray, shape (n, n)
        Finite lengths >= 0; the diagonal is ignored.

    Returns
    -------
    ndarray, shape (n, n)
        Distances from row to column.
    """
    nodes = len(arcs)
    if nodes == 1:
        return np.zeros((1, 1))
    sampled = arcs[:: -(-nodes // _SAMPLED_ROWS)]
    rounding = _ROUNDING * float(np.quantile(sampled, _QUANTILE) or arcs.max())
    # Shortest paths use short arcs, so few arcs are used first. An arc left out matters only if it
    # is shorter than the path between its ends. Once it does not matter, it never will: adding arcs
    # increases no distance.
    used = _short_arcs(arcs)
    every = np.arange(nodes)
    distances = used.distances_from(every, nodes)
    left = Arcs.where(arcs, arcs < distances - rounding)
    while len(left.lengths):
        # Once short arcs are added, longer ones may no longer matter. So add the shortest, at most
        # as many as are used already.
        number = min(len(left.lengths), len(used.lengths))
        taken, rest = np.split(np.argpartition(left.lengths, number - 1), [number])
        new = left.only(taken)
        used = Arcs.joined([used, new])
        distances = used.distances_from(every, nodes, distances, new)
        left = left.only(rest)
        left = left.only(left.lengths < distances[left.tails, left.heads] - rounding)
    return distances


def _short_arcs(arcs: NDArray[np.float64]) -> Arcs:
    """Return a few short arcs out of and into each node.

    For each of up to `ARCS_PER_NODE` blocks of nodes, they are the shortest arc from the node to
    the block, and the shortest from the block to the node.
    """
    outgoing, incoming = _shortest_by_stripe(arcs), _shortest_by_stripe(arcs.T)
    return Arcs.joined([outgoing, incoming.reversed])


def _shortest_by_stripe(arcs: NDArray[np.float64]) -> Arcs:
    nodes = np.arange(len(arcs))
    lengths = np.array(arcs, order="C")
    np.fill_diagonal(lengths, np.inf)
    heads = [
        stripe[0] + lengths[:, stripe[0] : stripe[-1] + 1].argmin(axis=1)
        for stripe in np.array_split(nodes, min(ARCS_PER_NODE, len(nodes) // 2))
    ]
    tails, heads_of_all = np.tile(nodes, len(heads)), np.concatenate(heads)
    return Arcs(tails, heads_of_all, arcs[tails, heads_of_all])
