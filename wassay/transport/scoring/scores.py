"""Scores of points: the change of W_p^p when mass moves to a point or away from it.

The paper scores point l of a measure with potential f by f_l − Σ_{j≠l} f_j / (n − 1) (paper
eq. 13). If the optimal plan has several connected components, potentials are not unique, and this
score depends on the solver. So scores are derivatives of W_p^p: one when mass moves from all other
points to l, and one when it moves back. The score is their midpoint, and the spread is their
difference.

Let R_ij = C_ij − f_i − g_j be the reduced costs, and take the connected components of the plan as
the nodes of a graph. A pair (i, j) is an arc of length R_ij from the component of row i to the
component of column j. For two rows k and l, D(k → l) is the length of the shortest path from the
component of k to the component of l. A row l with mass has the rates

    gaining: s_l + mean_{k≠l} D(l → k),    losing: s_l − mean_{k≠l} D(k → l),

with s_l = f_l − mean_{k≠l} f_k. The means are over the other rows k with mass. For columns, all
arcs are reversed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost
from wassay.transport.costs.given_cost import as_cost
from wassay.transport.errors import TransportError
from wassay.transport.scoring.components import PlanComponents
from wassay.transport.scoring.landmarks import choose_landmarks, landmark_distances
from wassay.transport.scoring.point_scores import Method, Scores
from wassay.transport.scoring.shortest_paths import shortest_paths
from wassay.transport.solvers.solution import Solution

MAX_COMPONENTS = 2_000
"""Maximum number of components for all-pairs paths; above it, landmarks are used."""


def scores(cost: Cost | ArrayLike, solution: Solution) -> tuple[Scores, Scores]:
    """Score the points of both sides.

    The scores do not depend on which optimal plan and potentials were found, on the order of
    points, or on which side is called the rows.

    Parameters
    ----------
    cost : Cost or array_like, shape (n, m)
        The costs that were solved.
    solution : Solution
        Result of `solve` for these costs.

    Returns
    -------
    rows, columns : Scores
        Scores of the n rows and of the m columns, in units of the cost.

    Raises
    ------
    TransportError
        If the solution belongs to costs of another shape.

    Notes
    -----
    With landmarks (see `Scores.method`), the scores can depend a little on the order of points and
    on the side if components cost the same per unit of mass: other landmarks are chosen then.
    """
    whole, solved = as_cost(cost), (len(solution.f), len(solution.g))
    if whole.shape != solved:
        raise TransportError(f"expected costs of shape {solved}, as solved, received {whole.shape}")
    components = PlanComponents.of(whole, solution)
    paths = (
        _landmark_paths(components) if components.count > MAX_COMPONENTS else _all_paths(components)
    )
    rows = _scores_with_mass(solution.f, components.of_rows, paths)
    columns = _scores_with_mass(solution.g, components.of_columns, paths.reversed())
    n = len(solution.f)
    for row in map(int, np.flatnonzero(components.of_rows < 0)):
        reduced = components.cost.block(row, row + 1)[0] - solution.f[row] - solution.g
        rows.values[row] = _gaining(
            row, solution.f, reduced, components.of_rows, components.of_columns, paths
        )
    for column in map(int, np.flatnonzero(components.of_columns < 0)):
        entries = components.cost.at(np.arange(n), np.full(n, column))
        reduced = entries - solution.f - solution.g[column]
        columns.values[column] = _gaining(
            column, solution.g, reduced, components.of_columns, components.of_rows, paths.reversed()
        )
    return rows, columns


@dataclass(frozen=True, eq=False)
class _Paths:
    """Lengths of shortest paths between all components and their representatives, a few or all.

    Attributes
    ----------
    away, back : ndarray, shapes (l, count)
        Distances from the l representatives to all components, and back.
    representatives : ndarray of int, shape (l,)
        Indices of the representatives.
    multipliers : ndarray, shape (l,)
        Proportional to the mass that each representative stands for, divided by its own mass.
    method : str
        As in `Scores`.
    """

    away: NDArray[np.float64]
    back: NDArray[np.float64]
    representatives: NDArray[np.intp]
    multipliers: NDArray[np.float64]
    method: Method

    def reversed(self) -> _Paths:
        """Return the paths for the columns, on which all arcs are reversed."""
        return _Paths(self.back, self.away, self.representatives, self.multipliers, self.method)

    def shares(self, component: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the share of one side's points that each representative stands for, shape (l,).

        `component` has the component of each point. Points without mass are not counted.
        """
        counts = np.bincount(component[component >= 0], minlength=self.away.shape[1])
        shares = counts[self.representatives] * self.multipliers
        normalised: NDArray[np.float64] = shares / shares.sum()
        return normalised

    def means(
        self, component: NDArray[np.intp], potential: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the mean potential of one side's points in each representative, shape (l,).

        `component` and `potential` are those of the points.
        """
        has_mass = component >= 0
        sums = np.bincount(component[has_mass], potential[has_mass], self.away.shape[1])
        counts = np.bincount(component[has_mass], minlength=self.away.shape[1])
        means: NDArray[np.float64] = sums[self.representatives] / counts[self.representatives]
        return means


def _all_paths(components: PlanComponents) -> _Paths:
    """Compute the shortest paths between all components; all of them are representatives."""
    distances = shortest_paths(components.arcs_between())
    every = np.arange(components.count)
    return _Paths(distances, distances.T, every, np.ones(components.count), "exact")


def _landmark_paths(components: PlanComponents) -> _Paths:
    """Compute the shortest paths between all components and landmarks, the representatives."""
    landmarks = choose_landmarks(components)
    away, back = landmark_distances(components, landmarks)
    return _Paths(away, back, landmarks, 1 / components.mass()[landmarks], "landmarks")


def _scores_with_mass(
    potential: NDArray[np.float64], component: NDArray[np.intp], paths: _Paths
) -> Scores:
    """Score one side's points that have mass; the others get 0.

    `potential` and `component` are those of the points.
    """
    has_mass = component >= 0
    size = int(has_mass.sum())
    values, spread = np.zeros_like(potential), np.zeros_like(potential)
    if size > 1:
        # The mean is over the other points; the point itself adds zero to the sum of paths.
        shares = paths.shares(component) * size / (size - 1)
        out, into = shares @ paths.back, shares @ paths.away
        own = potential[has_mass] * size / (size - 1) - shares @ paths.means(component, potential)
        midpoints = own + (out - into)[component[has_mass]] / 2
        # All scores must sum to zero; with landmarks, each is off by the same constant.
        values[has_mass] = midpoints - midpoints.mean()
        spread[has_mass] = (out + into)[component[has_mass]]
    return Scores(values, spread, paths.method)


def _gaining(
    point: int,
    potential: NDArray[np.float64],
    reduced: NDArray[np.float64],
    component: NDArray[np.intp],
    other_component: NDArray[np.intp],
    paths: _Paths,
) -> float:
    """Return the score of a point without mass: its rate of gaining mass.

    `reduced` has the point's reduced cost to each point of the other side, and `other_component`
    those points' components. `potential`, `component` and `paths` are those of the point's own
    side.
    """
    cheapest = np.full(paths.away.shape[1], np.inf)
    reached = other_component >= 0
    np.minimum.at(cheapest, other_component[reached], reduced[reached])
    from_donors = (paths.back + cheapest).min(axis=1)
    return float(
        potential[point]
        + paths.shares(component) @ (from_donors - paths.means(component, potential))
    )
