"""Directed graphs as lists of arcs, and the lengths of shortest paths in them.

The nodes are the connected components of a plan: pairs of points that exchange mass are connected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

COMPILED_FROM = 500
"""Graphs of up to this many nodes use scipy's Dijkstra, because loading compiled code takes longer.

A plan with more components has more than `MAX_DENSE_PAIRS` pairs, so its solve has already loaded
the compiled code."""

MAX_SWEEPS = 16
"""Where longer paths are shortest, one source after the other takes less time than all at once."""

NEGLIGIBLE = 1e-9
"""Arcs shorter than this share of the mean length are visited as if their length were zero.

This changes the order of the work only."""

SOURCES_AT_ONCE = 128
"""Number of sources whose distances are computed together, because they fit a core's cache."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """The arcs of a directed graph. Several may join the same two nodes.

    Attributes
    ----------
    tails, heads : ndarray of int, shape (l,)
        The nodes that each arc leads from and to.
    lengths : ndarray, shape (l,)
        Length of each arc, at least 0.
    """

    tails: NDArray[np.intp]
    heads: NDArray[np.intp]
    lengths: NDArray[np.float64]

    @classmethod
    def joined(cls, several: Sequence[Arcs]) -> Arcs:
        """Return the arcs of several graphs together."""
        none = cls(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0))
        return cls(
            np.concatenate([arcs.tails for arcs in (none, *several)]),
            np.concatenate([arcs.heads for arcs in (none, *several)]),
            np.concatenate([arcs.lengths for arcs in (none, *several)]),
        )

    @classmethod
    def where(cls, lengths: NDArray[np.float64], selected: NDArray[np.bool_]) -> Arcs:
        """Return an arc i → j of length `lengths[i, j]` wherever `selected[i, j]` is true."""
        tails, heads = np.nonzero(selected)
        return cls(tails, heads, lengths[tails, heads])

    def only(self, selected: NDArray[np.intp] | NDArray[np.bool_]) -> Arcs:
        """Return the arcs at the selected indices, or where a mask is true."""
        return Arcs(self.tails[selected], self.heads[selected], self.lengths[selected])

    @property
    def reversed(self) -> Arcs:
        """The same arcs, each from its head to its tail."""
        return Arcs(self.heads, self.tails, self.lengths)

    def distances_from(
        self,
        sources: NDArray[np.intp],
        nodes: int,
        known: NDArray[np.float64] | None = None,
        new: Arcs | None = None,
    ) -> NDArray[np.float64]:
        """Compute the length of the shortest path from each source to each node.

        With `known` and `new`, large graphs are searched only for shorter paths along new arcs.

        Parameters
        ----------
        sources : ndarray of int, shape (q,)
            The nodes from which paths start.
        nodes : int
            Number of nodes in the graph.
        known : ndarray, shape (q, nodes), optional
            The lengths without the new arcs.
        new : Arcs, optional
            The new arcs, which are among these arcs. Required with `known`.

        Returns
        -------
        ndarray, shape (q, nodes)
            Infinite for nodes that no path reaches.
        """
        if nodes <= COMPILED_FROM:
            shortest = self._without_parallel_arcs()
            # Sparse matrices drop entries of zero, so arcs of length zero are made a little longer.
            tiny = np.finfo(np.float64).tiny
            positive = np.maximum(shortest.lengths, tiny)
            graph = csr_array((positive, (shortest.tails, shortest.heads)), shape=(nodes, nodes))
            exact: NDArray[np.float64] = dijkstra(graph, indices=sources)
            return np.where(exact <= nodes * tiny, 0.0, exact)
        from wassay.transport.scoring.path_loops import (
            free_arcs_forward,
            relax,
            settle,
            shortest_by_tail,
        )

        starts, heads, lengths = shortest_by_tail(self.tails, self.heads, self.lengths, nodes)
        # Shortest paths have long chains of arcs of length zero: those of the optimal basis. In
        # this order, one sweep passes a whole chain.
        order = free_arcs_forward(starts, heads, lengths, NEGLIGIBLE * lengths.mean())
        distances = np.empty((len(sources), nodes))
        for first in range(0, len(sources), SOURCES_AT_ONCE):
            own = slice(first, first + SOURCES_AT_ONCE)
            chunk = sources[own]
            changed = np.zeros(nodes, np.bool_)
            if known is None or new is None:
                found = np.full((nodes, len(chunk)), np.inf)
                found[chunk, np.arange(len(chunk))] = 0.0
                changed[chunk] = True
            else:
                found = np.array(known[own].T, order="C")
                changed[new.tails] = True
            relax(found, starts, heads, lengths, order, changed, MAX_SWEEPS)
            distances[own] = found.T
            if changed.any():
                for source in distances[own]:
                    settle(source, starts, heads, lengths, changed)
        return distances

    def _without_parallel_arcs(self) -> Arcs:
        """Return the shortest of the arcs that join the same two nodes, for every two nodes."""
        permutation = np.lexsort((self.lengths, self.heads, self.tails))
        ordered = self.only(permutation)
        return ordered.only(
            np.append(True, (np.diff(ordered.tails) != 0) | (np.diff(ordered.heads) != 0))
        )
