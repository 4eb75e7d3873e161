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
from scipy.sparse.csgraph import connected_components

from wassay.transport.cost import ENTRIES_AT_ONCE, Cost, as_cost
from wassay.transport.exact import Solution
from wassay.transport.shortest import shortest_paths

SMALLEST_SHARE = 1e-10
"""A pair with less than this of the mass of both its points has it by rounding: it joins no parts.
"""


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
    between = _between_parts(whole, solution, row_part, column_part, part_count)
    distances = shortest_paths(between)
    rows = _rates(solution.f, row_part, distances)
    columns = _rates(solution.g, column_part, distances.T)
    for row in map(int, np.flatnonzero(row_part < 0)):
        reduced = whole.block(row, row + 1)[0] - solution.f[row] - solution.g
        rows.values[row] = _gaining(row, solution.f, reduced, row_part, column_part, distances)
    for column in map(int, np.flatnonzero(column_part < 0)):
        entries = whole.at(np.arange(n), np.full(n, column))
        reduced = entries - solution.f - solution.g[column]
        columns.values[column] = _gaining(
            column, solution.g, reduced, column_part, row_part, distances.T
        )
    return rows, columns


def _parts(solution: Solution, n: int, m: int) -> tuple[int, NDArray[np.intp], NDArray[np.intp]]:
    """Number the parts that carry mass; −1 marks points without mass."""
    row_mass = np.bincount(solution.rows, solution.mass, n)
    column_mass = np.bincount(solution.columns, solution.mass, m)
    lesser = np.minimum(row_mass[solution.rows], column_mass[solution.columns])
    joined = solution.mass > SMALLEST_SHARE * lesser
    ends = solution.rows[joined], n + solution.columns[joined]
    graph = coo_array((solution.mass[joined], ends), shape=(n + m, n + m))
    _, labels = connected_components(graph, directed=False)
    massive = np.concatenate([row_mass, column_mass]) > 0
    found, numbered = np.unique(labels[massive], return_inverse=True)
    part = np.full(n + m, -1, dtype=np.intp)
    part[massive] = numbered
    return len(found), part[:n], part[n:]


def _between_parts(
    cost: Cost,
    solution: Solution,
    row_part: NDArray[np.intp],
    column_part: NDArray[np.intp],
    part_count: int,
) -> NDArray[np.float64]:
    """Cheapest reduced cost from a row of one part to a column of another."""
    n, m = cost.shape
    order = np.argsort(column_part, kind="stable")[np.count_nonzero(column_part < 0) :]
    starts = np.searchsorted(column_part[order], np.arange(part_count))
    between = np.full((part_count, part_count), np.inf)
    step = max(1, ENTRIES_AT_ONCE // m)
    for start in range(0, n, step):
        stop = min(start + step, n)
        reduced = cost.block(start, stop)[:, order]
        reduced -= solution.f[start:stop, None]
        reduced -= solution.g[order]
        nearest = np.minimum.reduceat(reduced, starts, axis=1)
        massive = row_part[start:stop] >= 0
        np.minimum.at(between, row_part[start:stop][massive], nearest[massive])
    np.maximum(between, 0.0, out=between)
    return between


def _rates(
    potential: NDArray[np.float64], part: NDArray[np.intp], distances: NDArray[np.float64]
) -> Scores:
    """Midpoint and difference of the two rates; the others are the other points with mass."""
    massive = part >= 0
    others = max(int(massive.sum()) - 1, 1)
    share = np.bincount(part[massive], minlength=len(distances)) / others
    out, into = distances @ share, share @ distances
    own = potential - (potential[massive].sum() - potential) / others
    values, spread = np.zeros_like(potential), np.zeros_like(potential)
    if massive.sum() > 1:
        values[massive] = own[massive] + (out - into)[part[massive]] / 2
        spread[massive] = (out + into)[part[massive]]
    return Scores(values, spread, "exact")


def _gaining(
    point: int,
    potential: NDArray[np.float64],
    reduced: NDArray[np.float64],
    part: NDArray[np.intp],
    other_part: NDArray[np.intp],
    distances: NDArray[np.float64],
) -> float:
    """Rate at which the cost grows when a point without mass gains it from all that have some."""
    cheapest = np.full(len(distances), np.inf)
    reached = other_part >= 0
    np.minimum.at(cheapest, other_part[reached], reduced[reached])
    to_parts = (cheapest[:, None] + distances).min(axis=0)
    donors = part[part >= 0]
    return float(potential[point] - potential[part >= 0].mean() + to_parts[donors].mean())
