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

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost
from wassay.transport.costs.given_cost import as_cost
from wassay.transport.errors import TransportError
from wassay.transport.scoring.landmarks import choose_landmarks, landmark_distances
from wassay.transport.scoring.parts import Parts
from wassay.transport.scoring.point_scores import Method, Scores
from wassay.transport.scoring.shortest import shortest_paths
from wassay.transport.solvers.solution import Solution

MOST_PARTS = 2_000
"""Up to this many parts, paths between all of them are sought; above, from and to landmarks."""


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

    Raises
    ------
    TransportError
        When the solution is of costs of another shape.
    """
    whole, solved = as_cost(cost), (len(solution.f), len(solution.g))
    if whole.shape != solved:
        raise TransportError(f"the solution is of {solved} costs, got {whole.shape}")
    parts = Parts.of(whole, solution)
    paths = _landmark_paths(parts) if parts.count > MOST_PARTS else _all_paths(parts)
    rows = _rates(solution.f, parts.row, paths)
    columns = _rates(solution.g, parts.column, paths.reversed())
    n = len(solution.f)
    for row in map(int, np.flatnonzero(parts.row < 0)):
        reduced = parts.cost.block(row, row + 1)[0] - solution.f[row] - solution.g
        rows.values[row] = _gaining(row, solution.f, reduced, parts.row, parts.column, paths)
    for column in map(int, np.flatnonzero(parts.column < 0)):
        entries = parts.cost.at(np.arange(n), np.full(n, column))
        reduced = entries - solution.f - solution.g[column]
        columns.values[column] = _gaining(
            column, solution.g, reduced, parts.column, parts.row, paths.reversed()
        )
    return rows, columns


@dataclass(frozen=True, eq=False)
class _Paths:
    """Shortest paths between all parts and some, l of them, that stand for all.

    `away` and `back` have shape (l, count); a part that stands for all does so with `multiples`
    times its own points.
    """

    away: NDArray[np.float64]
    back: NDArray[np.float64]
    standing: NDArray[np.intp]
    multiples: NDArray[np.float64]
    method: Method

    def reversed(self) -> _Paths:
        """The same for the other side, where mass moves against the arcs."""
        return _Paths(self.back, self.away, self.standing, self.multiples, self.method)

    def shares(self, part: NDArray[np.intp]) -> NDArray[np.float64]:
        """Of a side's points with mass, what each part that stands for all stands for."""
        counts = np.bincount(part[part >= 0], minlength=self.away.shape[1])
        shares = counts[self.standing] * self.multiples
        normalised: NDArray[np.float64] = shares / shares.sum()
        return normalised

    def means(self, part: NDArray[np.intp], potential: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of a side's potential in each part that stands for all."""
        massive = part >= 0
        sums = np.bincount(part[massive], potential[massive], self.away.shape[1])
        counts = np.bincount(part[massive], minlength=self.away.shape[1])
        means: NDArray[np.float64] = sums[self.standing] / counts[self.standing]
        return means


def _all_paths(parts: Parts) -> _Paths:
    between = np.full((parts.count, parts.count), np.inf)
    if parts.count > 1:
        for row_parts, nearest in parts.reduced():
            np.minimum.at(between, row_parts, nearest)
    distances = shortest_paths(between)
    every = np.arange(parts.count)
    return _Paths(distances, distances.T, every, np.ones(parts.count), "exact")


def _landmark_paths(parts: Parts) -> _Paths:
    landmarks = choose_landmarks(parts)
    away, back = landmark_distances(parts, landmarks)
    return _Paths(away, back, landmarks, 1 / parts.mass()[landmarks], "landmarks")


def _rates(potential: NDArray[np.float64], part: NDArray[np.intp], paths: _Paths) -> Scores:
    """Midpoint and difference of the two rates; the others are the other points with mass."""
    massive = part >= 0
    size = int(massive.sum())
    values, spread = np.zeros_like(potential), np.zeros_like(potential)
    if size > 1:
        # The point itself is not one of the others: it adds zero to sums that the others share.
        shares = paths.shares(part) * size / (size - 1)
        out, into = shares @ paths.back, shares @ paths.away
        own = potential[massive] * size / (size - 1) - shares @ paths.means(part, potential)
        midpoints = own + (out - into)[part[massive]] / 2
        # They add up to zero over all points; landmarks miss that by a constant.
        values[massive] = midpoints - midpoints.mean()
        spread[massive] = (out + into)[part[massive]]
    return Scores(values, spread, paths.method)


def _gaining(
    point: int,
    potential: NDArray[np.float64],
    reduced: NDArray[np.float64],
    part: NDArray[np.intp],
    other_part: NDArray[np.intp],
    paths: _Paths,
) -> float:
    """Rate at which the cost grows when a point without mass gains it from all that have some."""
    cheapest = np.full(paths.away.shape[1], np.inf)
    reached = other_part >= 0
    np.minimum.at(cheapest, other_part[reached], reduced[reached])
    from_donors = (paths.back + cheapest).min(axis=1)
    return float(
        potential[point] + paths.shares(part) @ (from_donors - paths.means(part, potential))
    )
