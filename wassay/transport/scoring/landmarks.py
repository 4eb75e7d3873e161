"""Distances between all parts of a plan and a few of them, without a matrix of all parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from wassay.transport.scoring.parts import Parts

LANDMARKS = 32
"""Parts that stand for all of them."""

ARCS = 10
"""How many of the cheapest arcs of every row, and to every part, paths are sought on at first."""

_ROUNDING = 1e-15


def choose_landmarks(parts: Parts) -> NDArray[np.intp]:
    """Parts at equal steps of mass, in the order of what their transport costs.

    That order does not depend on how rows are sorted, on which side is called the rows, or on who
    solved.
    """
    mass = parts.mass()
    order = np.argsort(parts.transport(), kind="stable")
    steps = (np.arange(LANDMARKS) + 0.5) / LANDMARKS * mass.sum()
    met = np.searchsorted(np.cumsum(mass[order]), steps)
    return np.unique(order[np.minimum(met, parts.count - 1)])


def landmark_distances(
    parts: Parts, landmarks: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Exact shortest paths of reduced costs from and to some parts.

    They are sought on the cheapest arcs of every row and every part; then all arcs are looked at,
    those that would shorten a path are let in, and so on until there are none.

    Parameters
    ----------
    parts : Parts
    landmarks : ndarray of int, shape (l,)

    Returns
    -------
    tuple of ndarray, shapes (l, count)
        From the landmarks to all parts, and from all parts to the landmarks.
    """
    rounding = _ROUNDING * float(np.abs(parts.solution.f[parts.row >= 0]).max())
    rounding += parts.count * np.finfo(np.float64).tiny  # what arcs of length zero add up to
    arcs = _cheapest_arcs(parts)
    while True:
        graph = arcs.graph(parts.count)
        away: NDArray[np.float64] = dijkstra(graph, indices=landmarks)
        back: NDArray[np.float64] = dijkstra(graph.T.tocsr(), indices=landmarks)
        if np.isinf(away).any() or np.isinf(back).any():
            helpful = _direct_arcs(parts, landmarks)
        else:
            helpful = _shortening_arcs(parts, away, back, rounding)
        if not len(helpful.lengths):
            return away, back
        arcs = Arcs.joined([arcs, helpful])


@dataclass(frozen=True, eq=False)
class Arcs:
    """Arcs between parts, some of them perhaps parallel."""

    tails: NDArray[np.intp]
    heads: NDArray[np.intp]
    lengths: NDArray[np.float64]

    @classmethod
    def joined(cls, several: Sequence[Arcs]) -> Arcs:
        """All of them."""
        return cls(
            np.concatenate([arcs.tails for arcs in several]),
            np.concatenate([arcs.heads for arcs in several]),
            np.concatenate([arcs.lengths for arcs in several]),
        )

    def graph(self, nodes: int) -> csr_array:
        """As a matrix, of parallel arcs the shortest."""
        order = np.lexsort((self.lengths, self.heads, self.tails))
        tails, heads = self.tails[order], self.heads[order]
        first = np.append(True, (np.diff(tails) != 0) | (np.diff(heads) != 0))
        # An arc of length zero has to stay an arc.
        lengths = np.maximum(self.lengths[order], np.finfo(np.float64).tiny)
        return csr_array((lengths[first], (tails[first], heads[first])), shape=(nodes, nodes))


def _cheapest_arcs(parts: Parts) -> Arcs:
    """Of every row the cheapest to other parts, of every part the cheapest to it."""
    every = np.arange(parts.count)
    found = []
    lengths = np.full((ARCS, parts.count), np.inf)
    tails = np.zeros((ARCS, parts.count), dtype=np.intp)
    for row_parts, nearest in parts.reduced():
        cheapest = np.argpartition(nearest, ARCS, axis=1)[:, :ARCS]
        out = np.take_along_axis(nearest, cheapest, axis=1).ravel()
        found.append(Arcs(np.repeat(row_parts, ARCS), cheapest.ravel(), out))
        lengths = np.concatenate([lengths, nearest])
        tails = np.concatenate([tails, np.broadcast_to(row_parts[:, None], nearest.shape)])
        kept = np.argpartition(lengths, ARCS, axis=0)[:ARCS]
        lengths = np.take_along_axis(lengths, kept, axis=0)
        tails = np.take_along_axis(tails, kept, axis=0)
    return Arcs.joined([*found, Arcs(tails.ravel(), np.tile(every, ARCS), lengths.ravel())])


def _direct_arcs(parts: Parts, landmarks: NDArray[np.intp]) -> Arcs:
    """From and to every landmark."""
    found = []
    for row_parts, nearest in parts.reduced():
        tails, heads = np.nonzero(
            np.isin(row_parts, landmarks)[:, None] | np.isin(np.arange(parts.count), landmarks)
        )
        found.append(Arcs(row_parts[tails], heads, nearest[tails, heads]))
    return Arcs.joined(found)


def _shortening_arcs(
    parts: Parts, away: NDArray[np.float64], back: NDArray[np.float64], rounding: float
) -> Arcs:
    """All arcs at the end of a path from a landmark, or at the start of one to it, that help."""
    found = []
    for row_parts, nearest in parts.reduced():
        helpful = np.full_like(nearest, -np.inf)
        for out, home in zip(away, back, strict=True):
            np.maximum(helpful, out - out[row_parts, None], out=helpful)
            np.maximum(helpful, home[row_parts, None] - home, out=helpful)
        rows, heads = np.nonzero(nearest < helpful - rounding)
        found.append(Arcs(row_parts[rows], heads, nearest[rows, heads]))
    return Arcs.joined(found)
