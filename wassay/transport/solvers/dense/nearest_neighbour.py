"""Nearest-neighbour plans: optimal if sending every point to its nearest partner is feasible."""

# They often are if one side has noisy copies of the other's points, or if both sides were pushed
# almost up to a reference with the same number of points.

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate, candidate_from_feasible_potentials
from wassay.transport.solvers.certify.solver_output import Solver
from wassay.transport.solvers.plan import Plan, sorted_unique
from wassay.transport.solvers.prepared_cost import Blocks, PreparedCost
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.version import __version__

SOLVER = Solver("nearest", f"wassay {__version__}")

SAMPLE_SIZE = 16
"""Number of points that must be mutual nearest neighbours before all points are scanned."""


def solve_nearest_neighbour(problem: TransportProblem) -> Candidate | None:
    """Send each point of the larger side to its nearest partner.

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    Candidate or None
        None if a sample shows that success is unlikely. A plan that had to be corrected to the
        marginals is rarely certified.
    """
    cost = problem.cost
    n, m = cost.shape
    if not _sample_is_mutual(cost):
        return None
    a, b = problem.row_weights, problem.column_weights
    if n < m:
        rows, lowest = _nearest_rows(cost)
        plan, f, g = Plan(rows, np.arange(m), b), np.zeros(n), lowest
    else:
        columns, lowest = _nearest_columns(cost)
        plan, f, g = Plan(np.arange(n), columns, a), lowest, np.zeros(m)
    # A plan that already has the right marginals costs as much as the potentials' value.
    plan = plan.project_to_marginals(a, b)
    primal = float(cost.at(plan.rows, plan.columns) @ plan.mass)
    # The potentials are feasible: one side has the smallest C_ij of each point, the other zeros.
    return candidate_from_feasible_potentials(problem, plan, f, g, primal, SOLVER)


def _sample_is_mutual(cost: PreparedCost) -> bool:
    """Whether each sampled point of the smaller side is the nearest to its own nearest partner."""
    n, m = cost.shape
    rows, columns = np.arange(n), np.arange(m)
    sampled = np.linspace(0, min(n, m) - 1, min(n, m, SAMPLE_SIZE)).astype(np.intp)
    if n < m:
        nearest = sorted_unique(cost.sample(sampled, columns).matrix().argmin(axis=1))
        returned = cost.sample(rows, nearest).matrix().argmin(axis=0)
    else:
        nearest = sorted_unique(cost.sample(rows, sampled).matrix().argmin(axis=0))
        returned = cost.sample(nearest, columns).matrix().argmin(axis=1)
    return np.array_equal(np.sort(returned), sampled)


def _nearest_columns(cost: PreparedCost) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the cheapest column of every row, and its cost."""

    def cheapest(
        blocks: Blocks[np.float64],
    ) -> list[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        cheapest_of_blocks = []
        for _, _, block in blocks:
            columns = block.argmin(axis=1)
            cheapest_of_blocks.append((columns, block[np.arange(len(block)), columns]))
        return cheapest_of_blocks

    pieces = [piece for strip in cost.map_blocks(cheapest) for piece in strip]
    columns, costs = (np.concatenate(side) for side in zip(*pieces, strict=True))
    return columns, costs


def _nearest_rows(cost: PreparedCost) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the cheapest row of every column, and its cost."""
    _, m = cost.shape

    def cheapest(
        blocks: Blocks[np.float64],
    ) -> list[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        cheapest_of_blocks = []
        for start, _, block in blocks:
            rows = block.argmin(axis=0)
            cheapest_of_blocks.append((start + rows, block[rows, np.arange(m)]))
        return cheapest_of_blocks

    nearest, lowest = np.zeros(m, dtype=np.intp), np.full(m, np.inf)
    for strip in cost.map_blocks(cheapest):
        for rows, costs in strip:
            nearer = costs < lowest
            nearest[nearer], lowest[nearer] = rows[nearer], costs[nearer]
    return nearest, lowest
