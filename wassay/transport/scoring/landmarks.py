"""Distances from and to a few components of a plan, without the matrix between all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from wassay.transport.scoring.components import PlanComponents

LANDMARKS = 32
"""Maximum number of components that represent all components of a plan."""

ARCS_PER_COMPONENT = 10
"""Number of cheapest arcs out of every row and into every component in the first graph."""

_ROUNDING = 1e-15


def choose_landmarks(components: PlanComponents) -> NDArray[np.intp]:
    """Choose components at equal steps of mass, in the order of their transport cost.

    That order depends neither on how rows are sorted, nor on which side is called the rows, nor on
    the solver.

    Parameters
    ----------
    components : PlanComponents

    Returns
    -------
    ndarray of int, shape (l,)
        Indices of components, l <= `LANDMARKS`.
    """
    mass = components.mass()
    permutation = np.argsort(components.transport(), kind="stable")
    steps = (np.arange(LANDMARKS) + 0.5) / LANDMARKS * mass.sum()
    hit = np.searchsorted(np.cumsum(mass[permutation]), steps)
    return np.unique(permutation[np.minimum(hit, components.count - 1)])


def landmark_distances(
    components: PlanComponents, landmarks: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute exact shortest paths of reduced costs from and to some components.

    Dijkstra's algorithm runs on the cheapest arcs of every row and every component. All arcs are
    then scanned, and those that would shorten a path are added, until none is left.

    Parameters
    ----------
    components : PlanComponents
    landmarks : ndarray of int, shape (l,)
        Indices of components.

    Returns
    -------
    away, back : ndarray, shapes (l, count)
        Distances from the landmarks to all components, and from all components to the landmarks.
    """
    rounding = _ROUNDING * float(np.abs(components.solution.f[components.row >= 0]).max())
    rounding += components.count * np.finfo(np.float64).tiny  # what arcs of length zero add up to
    arcs = _cheapest_arcs(components)
    while True:
        graph = arcs.graph(components.count)
        away: NDArray[np.float64] = dijkstra(graph, indices=landmarks)
        back: NDArray[np.float64] = dijkstra(graph.T.tocsr(), indices=landmarks)
        if np.isinf(away).any() or np.isinf(back).any():
            helpful = _direct_arcs(components, landmarks)
        else:
            helpful = _shortening_arcs(components, away, back, rounding)
        if not len(helpful.lengths):
            return away, back
        arcs = Arcs.joined([arcs, helpful])


@dataclass(frozen=True, eq=False)
class Arcs:
    """Arcs between components; some may be parallel.

    Attributes
    ----------
    tails, heads : ndarray of int, shape (l,)
    lengths : ndarray, shape (l,)
    """

    tails: NDArray[np.intp]
    heads: NDArray[np.intp]
    lengths: NDArray[np.float64]

    @classmethod
    def joined(cls, several: Sequence[Arcs]) -> Arcs:
        """Concatenate several sets of arcs."""
        return cls(
            np.concatenate([arcs.tails for arcs in several]),
            np.concatenate([arcs.heads for arcs in several]),
            np.concatenate([arcs.lengths for arcs in several]),
        )

    def graph(self, nodes: int) -> csr_array:
        """Return a sparse matrix with the shortest of parallel arcs."""
        permutation = np.lexsort((self.lengths, self.heads, self.tails))
        tails, heads = self.tails[permutation], self.heads[permutation]
        first = np.append(True, (np.diff(tails) != 0) | (np.diff(heads) != 0))
        # A sparse matrix would drop arcs of length zero.
        lengths = np.maximum(self.lengths[permutation], np.finfo(np.float64).tiny)
        return csr_array((lengths[first], (tails[first], heads[first])), shape=(nodes, nodes))


def _cheapest_arcs(components: PlanComponents) -> Arcs:
    """Return the cheapest arcs out of every row and into every component."""
    all_components = np.arange(components.count)
    arc_sets = []
    lengths = np.full((ARCS_PER_COMPONENT, components.count), np.inf)
    tails = np.zeros((ARCS_PER_COMPONENT, components.count), dtype=np.intp)
    for row_components, smallest in components.reduced():
        cheapest = np.argpartition(smallest, ARCS_PER_COMPONENT, axis=1)[:, :ARCS_PER_COMPONENT]
        out = np.take_along_axis(smallest, cheapest, axis=1).ravel()
        arc_sets.append(Arcs(np.repeat(row_components, ARCS_PER_COMPONENT), cheapest.ravel(), out))
        lengths = np.concatenate([lengths, smallest])
        tails = np.concatenate([tails, np.broadcast_to(row_components[:, None], smallest.shape)])
        selected = np.argpartition(lengths, ARCS_PER_COMPONENT, axis=0)[:ARCS_PER_COMPONENT]
        lengths = np.take_along_axis(lengths, selected, axis=0)
        tails = np.take_along_axis(tails, selected, axis=0)
    return Arcs.joined(
        [
            *arc_sets,
            Arcs(tails.ravel(), np.tile(all_components, ARCS_PER_COMPONENT), lengths.ravel()),
        ]
    )


def _direct_arcs(components: PlanComponents, landmarks: NDArray[np.intp]) -> Arcs:
    """Return all arcs from and to the landmarks."""
    arc_sets = []
    for row_components, smallest in components.reduced():
        tails, heads = np.nonzero(
            np.isin(row_components, landmarks)[:, None]
            | np.isin(np.arange(components.count), landmarks)
        )
        arc_sets.append(Arcs(row_components[tails], heads, smallest[tails, heads]))
    return Arcs.joined(arc_sets)


def _shortening_arcs(
    components: PlanComponents,
    away: NDArray[np.float64],
    back: NDArray[np.float64],
    rounding: float,
) -> Arcs:
    """Return the arcs that shorten a path from or to a landmark."""
    arc_sets = []
    for row_components, smallest in components.reduced():
        helpful = np.full_like(smallest, -np.inf)
        for out, home in zip(away, back, strict=True):
            np.maximum(helpful, out - out[row_components, None], out=helpful)
            np.maximum(helpful, home[row_components, None] - home, out=helpful)
        rows, heads = np.nonzero(smallest < helpful - rounding)
        arc_sets.append(Arcs(row_components[rows], heads, smallest[rows, heads]))
    return Arcs.joined(arc_sets)
