"""Scores of points: how W_p^p changes when mass moves to a point or away from it.

The paper scores point l of a measure with potential f by f_l − mean of the other f (paper eq. 13).
Potentials are not unique where the optimal plan splits into parts that exchange no mass, always so
for equal sizes and uniform weights, and then this number depends on the solver. What does not
depend on it are the two one-sided derivatives of the convex function W_p^p when mass moves from all
other points to l, and back: they bound the score of every potential. The midpoint is published as
the score and the difference as its spread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, floyd_warshall

from wassay.transport.cost import Cost, as_cost
from wassay.transport.exact import Solution


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of the points of one measure.

    Attributes
    ----------
    values : ndarray, shape (n,)
        In units of the cost. Positive: the point pushes the distance up (noise). Negative: it
        pulls the distance down (valuable). A point without mass can only gain some, so its value
        is the rate of gaining.
    spread : ndarray, shape (n,)
        Rate of gaining mass less rate of losing it, >= 0; zero where the potential is unique.
    method : str
        "exact": from shortest paths between all parts of the plan.
    """

    values: NDArray[np.float64]
    spread: NDArray[np.float64]
    method: Literal["exact"]


def scores(cost: Cost | ArrayLike, solution: Solution) -> tuple[Scores, Scores]:
    """Score the points of both sides.

    Parts are the connected components of the plan's pairs; within a part mass moves between points
    at no cost beyond the difference of their potentials. Between parts it moves along shortest
    paths of reduced costs C_ij − f_i − g_j, from i's part to j's for a row that gains mass. The
    result does not depend on which optimal plan and potentials came from the solver, on the order
    of rows, or on which side is called the rows.

    Parameters
    ----------
    cost : Cost or array_like, shape (n, m)
        That was solved.
    solution : Solution
        Of `solve`.

    Returns
    -------
    tuple of Scores
        Of the rows and of the columns.
    """
    whole = as_cost(cost)
    n, m = whole.shape
    part_count, row_part, column_part = _parts(solution, n, m)
    reduced = whole.block(0, n) - solution.f[:, None] - solution.g
    np.maximum(reduced, 0.0, out=reduced)
    distances = _shortest_paths(_between_parts(reduced, row_part, column_part, part_count))
    return (
        _side(solution.f, reduced, row_part, column_part, distances),
        _side(solution.g, reduced.T, column_part, row_part, distances.T),
    )


def _side(
    potentials: NDArray[np.float64],
    reduced: NDArray[np.float64],
    part: NDArray[np.intp],
    other_part: NDArray[np.intp],
    distances: NDArray[np.float64],
) -> Scores:
    """Midpoint and difference of the two rates; the others are the other points with mass."""
    massive = part >= 0
    count = np.bincount(part[massive], minlength=len(distances))
    share = count / max(massive.sum() - 1, 1)
    out, into = distances @ share, share @ distances
    others = (potentials[massive].sum() - potentials) / max(massive.sum() - 1, 1)
    values, spread = np.empty_like(potentials), np.zeros_like(potentials)
    values[massive] = (potentials - others)[massive] + (out - into)[part[massive]] / 2
    spread[massive] = (out + into)[part[massive]]
    for point in np.flatnonzero(~massive):
        cheapest = np.full(len(distances), np.inf)
        reached = other_part >= 0
        np.minimum.at(cheapest, other_part[reached], reduced[point, reached])
        gaining = (cheapest[:, None] + distances).min(axis=0)
        donors = count / count.sum()
        values[point] = potentials[point] - potentials[massive].mean() + donors @ gaining
    if massive.sum() == 1:
        values[massive] = 0.0
    return Scores(values, spread, "exact")


def _parts(solution: Solution, n: int, m: int) -> tuple[int, NDArray[np.intp], NDArray[np.intp]]:
    """Number the parts that carry mass; −1 marks points without mass."""
    graph = coo_array((solution.mass, (solution.rows, n + solution.columns)), shape=(n + m, n + m))
    _, labels = connected_components(graph, directed=False)
    massive = np.zeros(n + m, dtype=bool)
    massive[solution.rows] = massive[n + solution.columns] = True
    found, numbered = np.unique(labels[massive], return_inverse=True)
    part = np.full(n + m, -1, dtype=np.intp)
    part[massive] = numbered
    return len(found), part[:n], part[n:]


def _between_parts(
    reduced: NDArray[np.float64],
    row_part: NDArray[np.intp],
    column_part: NDArray[np.intp],
    part_count: int,
) -> NDArray[np.float64]:
    """Cheapest reduced cost from a row of one part to a column of another."""
    row_order = np.argsort(row_part, kind="stable")[np.count_nonzero(row_part < 0) :]
    column_order = np.argsort(column_part, kind="stable")[np.count_nonzero(column_part < 0) :]
    every = np.arange(part_count)
    row_starts = np.searchsorted(row_part[row_order], every)
    column_starts = np.searchsorted(column_part[column_order], every)
    by_rows = np.minimum.reduceat(reduced[row_order], row_starts, axis=0)
    between: NDArray[np.float64] = np.minimum.reduceat(
        by_rows[:, column_order], column_starts, axis=1
    )
    return between


def _shortest_paths(between: NDArray[np.float64]) -> NDArray[np.float64]:
    # scipy reads a zero as a missing arc, and arcs without cost are what matters here.
    passable = np.maximum(between, np.finfo(np.float64).tiny)
    distances: NDArray[np.float64] = floyd_warshall(passable)
    return distances
