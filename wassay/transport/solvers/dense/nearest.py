"""Where all that go to their nearest partner fill every place, there is nothing to solve.

So it is where one side is a copy of the other, or several, with little noise, where both were
pushed towards as many reference points as they have themselves and stopped short of them, and where
one side is a single point.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate
from wassay.transport.solvers.certify.dual_feasibility import Inspection, Question
from wassay.transport.solvers.certify.vertex import Solver
from wassay.transport.solvers.plan import Plan, merged
from wassay.transport.solvers.prepared import Blocks, PreparedCost
from wassay.transport.solvers.problem import Problem
from wassay.version import __version__

SOLVER = Solver("nearest", f"wassay {__version__}")

SAMPLED = 16
"""So many points of the smaller side have to be the nearest of their own nearest before all points
are looked at."""


def solve_by_nearest(problem: Problem) -> Candidate | None:
    """Send the larger side's points to their nearest, where some say that this may be optimal.

    It is where it fills every place as the weights say: the costs of those pairs are potentials of
    the larger side then, feasible beside zeros for the smaller and equal to the plan in value, so
    one look at all pairs finds the plan and proves it. Else the plan is project_to_marginals, and
    not proven.
    """
    cost = problem.cost
    n, m = cost.shape
    if not _some_are_mutual(cost):
        return None
    a, b = problem.row_weights, problem.column_weights
    if n < m:
        rows, least = _nearest_rows(cost)
        plan, f, g = Plan(rows, np.arange(m), b), np.zeros(n), least
    else:
        columns, least = _nearest_columns(cost)
        plan, f, g = Plan(np.arange(n), columns, a), least, np.zeros(m)
    plan = plan.project_to_marginals(a, b)
    primal = float(cost.at(plan.rows, plan.columns) @ plan.mass)
    nobody = np.empty(0, dtype=np.intp)
    question = Question(problem, f, g, primal, level=0.0)
    # No C_ij − f_i − g_j is below zero, since the one is the least C_ij and the other zero.
    return Candidate(plan, Inspection.of(question, f, g, nobody, nobody), primal, SOLVER, rounds=1)


def _some_are_mutual(cost: PreparedCost) -> bool:
    """Whether some points of the smaller side are what their own nearest are nearest to."""
    n, m = cost.shape
    rows, columns = np.arange(n), np.arange(m)
    some = np.linspace(0, min(n, m) - 1, min(n, m, SAMPLED)).astype(np.intp)
    if n < m:
        nearest = merged(cost.sample(some, columns).matrix().argmin(axis=1))
        returned = cost.sample(rows, nearest).matrix().argmin(axis=0)
    else:
        nearest = merged(cost.sample(rows, some).matrix().argmin(axis=0))
        returned = cost.sample(nearest, columns).matrix().argmin(axis=1)
    return np.array_equal(np.sort(returned), some)


def _nearest_columns(cost: PreparedCost) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Every row's cheapest column, and what it costs."""

    def cheapest(
        blocks: Blocks[np.float64],
    ) -> list[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        found = []
        for _, _, block in blocks:
            columns = block.argmin(axis=1)
            found.append((columns, block[np.arange(len(block)), columns]))
        return found

    parts = [part for stretch in cost.exactly(cheapest) for part in stretch]
    columns, costs = (np.concatenate(side) for side in zip(*parts, strict=True))
    return columns, costs


def _nearest_rows(cost: PreparedCost) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Every column's cheapest row, and what it costs."""
    _, m = cost.shape

    def cheapest(
        blocks: Blocks[np.float64],
    ) -> list[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        found = []
        for start, _, block in blocks:
            rows = block.argmin(axis=0)
            found.append((start + rows, block[rows, np.arange(m)]))
        return found

    nearest, least = np.zeros(m, dtype=np.intp), np.full(m, np.inf)
    for stretch in cost.exactly(cheapest):
        for rows, costs in stretch:
            nearer = costs < least
            nearest[nearer], least[nearer] = rows[nearer], costs[nearer]
    return nearest, least
