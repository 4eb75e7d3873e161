"""Where everybody's nearest partner is somebody else's nearest too, there is nothing to solve.

So it is where one side is a copy of the other with little noise, and where both were pushed towards
as many reference points as they have themselves and stopped short of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.candidate import Candidate
from wassay.transport.solvers.inspection import Inspection, Question
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared import Blocks, PreparedCost
from wassay.transport.solvers.problem import ROUNDING, Problem
from wassay.transport.solvers.vertex import Solver
from wassay.version import __version__

SOLVER = Solver("nearest", f"wassay {__version__}")

SAMPLED = 16
"""So many pairs have to be each other's nearest before all rows are looked at."""


def solve_by_nearest(problem: Problem) -> Candidate | None:
    """The plan that sends all to the nearest column, where that is one; else None.

    The costs of those pairs are potentials of the rows then, feasible beside zeros for the columns
    and equal to the plan in value, so one look at all pairs finds the plan and proves it.
    """
    cost = problem.cost
    n, m = cost.shape
    if n != m or not _sampled_are_mutual(cost):
        return None
    nearest, f = _nearest(cost)
    a, b = problem.row_weights, problem.column_weights
    taken = np.bincount(nearest, minlength=m) == 1
    if not taken.all() or np.abs(a - b[nearest]).max() > ROUNDING * a.max():
        return None
    plan = Plan(np.arange(n), nearest, a).mended(a, b)
    primal = float(cost.at(plan.rows, plan.columns) @ plan.mass)
    g, nobody = np.zeros(m), np.empty(0, dtype=np.intp)
    question = Question(problem, f, g, primal, level=0.0)
    # No C_ij − f_i is below zero, since f_i is the least C_ij.
    return Candidate(plan, Inspection.of(question, f, g, nobody, nobody), primal, SOLVER, rounds=1)


def _sampled_are_mutual(cost: PreparedCost) -> bool:
    """Whether some rows, spread over all, are what their nearest columns are nearest to."""
    n, m = cost.shape
    rows = np.linspace(0, n - 1, SAMPLED).astype(np.intp)
    columns, _ = _nearest(cost.sample(rows, np.arange(m)))
    chosen, rank = np.unique(columns, return_inverse=True)
    if len(chosen) < SAMPLED:
        return False
    entries = cost.sample(np.arange(n), chosen).matrix()
    return bool((entries.argmin(axis=0)[rank] == rows).all())


def _nearest(cost: PreparedCost) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
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
