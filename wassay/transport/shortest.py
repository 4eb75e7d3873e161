"""Shortest paths between all nodes of a complete graph, found on few arcs and proven on all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

ARCS_A_NODE = 10
"""How many of a node's cheapest arcs, out and in, paths are looked for on."""

_ROUNDING = 1e-15


def shortest_paths(arcs: NDArray[np.float64]) -> NDArray[np.float64]:
    """All-pairs distances for arc lengths >= 0.

    Paths use cheap arcs, so they are looked for on the cheapest arcs of every node. No arc that
    was left out can matter once none is shorter than the path found between its ends; those that
    are join the graph, and the search is repeated.

    Parameters
    ----------
    arcs : ndarray, shape (n, n)
        Finite lengths; the diagonal is not looked at.

    Returns
    -------
    ndarray, shape (n, n)
        Distances from row to column.
    """
    size = len(arcs)
    if size == 1:
        return np.zeros((1, 1))
    rounding = _ROUNDING * float(arcs.max())
    candidates = arcs.copy()
    np.fill_diagonal(candidates, np.inf)
    listed = np.zeros(arcs.shape, dtype=bool)
    while True:
        listed |= _cheapest(candidates)
        distances = _on_listed(arcs, listed)
        candidates = np.where(arcs < distances - rounding, arcs, np.inf)
        if not np.isfinite(candidates).any():
            return distances


def _cheapest(lengths: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The cheapest finite arcs out of and into every node."""
    count = min(ARCS_A_NODE, len(lengths))
    chosen = np.zeros(lengths.shape, dtype=bool)
    every = np.arange(len(lengths))
    out = np.argpartition(lengths, count - 1, axis=1)[:, :count]
    into = np.argpartition(lengths, count - 1, axis=0)[:count]
    chosen[every[:, None], out] = True
    chosen[into, every] = True
    return chosen & np.isfinite(lengths)


def _on_listed(arcs: NDArray[np.float64], listed: NDArray[np.bool_]) -> NDArray[np.float64]:
    tails, heads = np.nonzero(listed)
    # An arc of length zero has to stay an arc.
    lengths = np.maximum(arcs[tails, heads], np.finfo(np.float64).tiny)
    distances: NDArray[np.float64] = dijkstra(
        csr_array((lengths, (tails, heads)), shape=arcs.shape)
    )
    return distances
