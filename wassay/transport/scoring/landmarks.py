"""Landmarks: a few components that represent all, if there are too many for all-pairs paths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.scoring.arcs import Arcs
from wassay.transport.scoring.components import PlanComponents

LANDMARKS = 32
"""Maximum number of components that represent all components of a plan."""

ARCS_PER_POINT = 8
"""Number of cheap arcs out of every row and into every column in the first graph."""

_ROUNDING = 1e-15

_QUANTILE = 0.9
"""Rounding errors are relative to the potential at this quantile."""


def choose_landmarks(components: PlanComponents) -> NDArray[np.intp]:
    """Choose landmarks at equal steps of mass, among components sorted by cost per unit of mass.

    Parameters
    ----------
    components : PlanComponents

    Returns
    -------
    ndarray of int, shape (l,)
        Indices of components, l <= `LANDMARKS`.
    """
    # This order does not depend on the solver, the order of rows, or which side is called the rows.
    mass = components.mass()
    permutation = np.argsort(components.cost_per_mass(), kind="stable")
    steps = (np.arange(LANDMARKS) + 0.5) / LANDMARKS * mass.sum()
    hit = np.searchsorted(np.cumsum(mass[permutation]), steps)
    return np.unique(permutation[np.minimum(hit, components.count - 1)])


def landmark_distances(
    components: PlanComponents, landmarks: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute the distances of all components from and to the landmarks.

    A distance is the length of a shortest path, on which arcs are as long as their reduced costs.

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
    # Not the largest potential: one point far away must not make all other paths imprecise.
    potentials = np.abs(components.solution.f[components.of_rows >= 0])
    rounding = _ROUNDING * float(np.quantile(potentials, _QUANTILE))
    # `distances_from` gives arcs of length 0 the length `tiny`.
    rounding += components.count * np.finfo(np.float64).tiny
    count = components.count
    # Compute paths along few arcs, then add the arcs that shorten a path, until there are none.
    arcs = components.cheap_arcs(ARCS_PER_POINT)
    away = arcs.distances_from(landmarks, count)
    back = arcs.reversed.distances_from(landmarks, count)
    if np.isinf(away).any() or np.isinf(back).any():
        arcs = Arcs.joined([arcs, components.arcs_at(landmarks)])
        away = arcs.distances_from(landmarks, count)
        back = arcs.reversed.distances_from(landmarks, count)
    tails: NDArray[np.bool_] = np.ones(count, np.bool_)
    heads = tails
    while True:
        new = components.shortening_arcs(away, back, rounding, tails, heads)
        if not len(new.lengths):
            return away, back
        arcs = Arcs.joined([arcs, new])
        before_away, before_back = away, back
        away = arcs.distances_from(landmarks, count, away, new)
        back = arcs.reversed.distances_from(landmarks, count, back, new.reversed)
        # Another arc shortens a path only if that to its tail, or that from its head, is new.
        tails = np.any(away < before_away, axis=0)
        heads = np.any(back < before_back, axis=0)
