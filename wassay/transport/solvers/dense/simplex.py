"""POT's network simplex over all pairs, for problems so small that listing some would cost more."""

from __future__ import annotations

import warnings
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.vertex import Solver, Vertex
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.problem import Problem

SOLVER = Solver("network-simplex", f"POT {version('POT')}")

_OPTIMAL = 1


def solve_all_pairs(problem: Problem) -> Vertex:
    """Solve over all pairs, held in memory."""
    cost = problem.cost.matrix()
    return problem.progress.during(lambda: _solve(problem, cost))


def _solve(problem: Problem, cost: NDArray[np.float64]) -> Vertex:
    import ot  # its import takes longer than all others together: only who solves waits for it

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what POT warns of is what the certificate measures
        matrix, log = ot.emd(
            problem.row_weights,
            problem.column_weights,
            cost,
            problem.max_iterations,
            log=True,
            center_dual=False,
        )
    rows, columns = np.nonzero(matrix)
    plan = Plan(rows, columns, matrix[rows, columns])
    return Vertex(plan, log["u"], log["v"], log["result_code"] == _OPTIMAL, SOLVER)
