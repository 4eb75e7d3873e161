"""Shortest paths between all nodes of a complete graph, found on few arcs and proven on all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

ARCS_A_NODE = 10
"""How many of a node's cheapest arcs, out and in, paths are looked for on at first."""

_ROUNDING = 1e-15

_MOST = 0.9
"""Rounding is a share of the arc at this quantile: a few that are far longer than all others, as
between points far apart, do not decide it, and neither do many of length zero."""


def shortest_paths(arcs: NDArray[np.float64]) -> NDArray[np.float64]:
    """All-pairs distances for arc lengths >= 0.

    Paths use short arcs, so they are looked for on the shortest arcs of every node. An arc that
    was left out matters only if it is shorter than the path found between its ends. Those, few as
    a rule, are then let in one by one, the shortest first; distances never grow by that, so an arc
    that did not matter before does not matter afterwards.

    Parameters
    ----------
    arcs : ndarray, shape (n, n)
        Finite lengths; the diagonal is not looked at.

    Returns
    -------
    ndarray, shape (n, n)
        Distances from row to column.
    """
    if len(arcs) == 1:
        return np.zeros((1, 1))
    distances = _on_shortest_arcs(arcs)
    rounding = _ROUNDING * float(np.quantile(arcs, _MOST) or arcs.max())
    tails, heads = np.nonzero(arcs < distances - rounding)
    lengths = arcs[tails, heads]
    for index in np.argsort(lengths, kind="stable"):
        tail, head, length = tails[index], heads[index], lengths[index]
        if length < distances[tail, head] - rounding:
            through = distances[:, tail, None] + (length + distances[head])
            np.minimum(distances, through, out=distances)
    return distances


def _on_shortest_arcs(arcs: NDArray[np.float64]) -> NDArray[np.float64]:
    count = min(ARCS_A_NODE + 1, len(arcs))
    every = np.arange(len(arcs))
    listed = np.zeros(arcs.shape, dtype=bool)
    listed[every[:, None], np.argpartition(arcs, count - 1, axis=1)[:, :count]] = True
    listed[np.argpartition(arcs, count - 1, axis=0)[:count], every] = True
    np.fill_diagonal(listed, val=False)
    tails, heads = np.nonzero(listed)
    # An arc of length zero has to stay an arc.
    lengths = np.maximum(arcs[tails, heads], np.finfo(np.float64).tiny)
    distances: NDArray[np.float64] = dijkstra(
        csr_array((lengths, (tails, heads)), shape=arcs.shape)
    )
    return distances
