"""All-pairs shortest paths of a dense graph: computed on few arcs, then corrected on all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

ARCS_PER_NODE = 10
"""Number of a node's shortest outgoing and incoming arcs in the first, sparse graph."""

_ROUNDING = 1e-15

_QUANTILE = 0.9
"""Rounding is relative to the arc length at this quantile.

So neither a few very long arcs (of far outliers) nor many arcs of length zero determine it.
"""


def shortest_paths(arcs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute all-pairs shortest path lengths for non-negative arc lengths.

    Shortest paths use short arcs, so Dijkstra's algorithm runs on the shortest arcs of every node.
    An arc left out matters only if it is shorter than the path found between its ends. Such arcs,
    usually few, are inserted one by one, the shortest first. Inserting never increases a distance,
    so an arc that did not matter before does not matter later.

    Parameters
    ----------
    arcs : ndarray, shape (n, n)
        Finite lengths >= 0; the diagonal is ignored.

    Returns
    -------
    ndarray, shape (n, n)
        Distances from row to column.
    """
    if len(arcs) == 1:
        return np.zeros((1, 1))
    distances = _on_shortest_arcs(arcs)
    rounding = _ROUNDING * float(np.quantile(arcs, _QUANTILE) or arcs.max())
    tails, heads = np.nonzero(arcs < distances - rounding)
    lengths = arcs[tails, heads]
    for index in np.argsort(lengths, kind="stable"):
        tail, head, length = tails[index], heads[index], lengths[index]
        if length < distances[tail, head] - rounding:
            through = distances[:, tail, None] + (length + distances[head])
            np.minimum(distances, through, out=distances)
    return distances


def _on_shortest_arcs(arcs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Run Dijkstra's algorithm on the shortest arcs of every node."""
    count = min(ARCS_PER_NODE + 1, len(arcs))
    nodes = np.arange(len(arcs))
    selected = np.zeros(arcs.shape, dtype=bool)
    selected[nodes[:, None], np.argpartition(arcs, count - 1, axis=1)[:, :count]] = True
    selected[np.argpartition(arcs, count - 1, axis=0)[:count], nodes] = True
    np.fill_diagonal(selected, val=False)
    tails, heads = np.nonzero(selected)
    # A sparse matrix would drop arcs of length zero.
    lengths = np.maximum(arcs[tails, heads], np.finfo(np.float64).tiny)
    distances: NDArray[np.float64] = dijkstra(
        csr_array((lengths, (tails, heads)), shape=arcs.shape)
    )
    return distances
