"""POT's dense network simplex, for problems too small to profit from a pair list."""

from __future__ import annotations

import warnings
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.solver_output import Solver, SolverOutput
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.transport_problem import TransportProblem

SOLVER = Solver("network-simplex", f"POT {version('POT')}")

THREADLESS_PAIRS = 10_000
"""Up to this many pairs are solved without a thread of their own, in a few milliseconds."""

_OPTIMAL = 1
"""POT's result code for an optimal plan."""


def solve_dense(problem: TransportProblem) -> SolverOutput:
    """Solve over all pairs, with the costs in memory."""
    cost = problem.cost.matrix()
    if cost.size <= THREADLESS_PAIRS:
        return _solve(problem, cost)
    return problem.progress.run_blocking(lambda: _solve(problem, cost))


def _solve(problem: TransportProblem, cost: NDArray[np.float64]) -> SolverOutput:
    from wassay.transport.solvers.dense.pot import emd  # slow to import, so only if needed

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the certificate shows what POT would warn about
        matrix, log = emd(
            problem.row_weights,
            problem.column_weights,
            cost,
            problem.max_iterations,
            log=True,
            center_dual=False,
        )
    rows, columns = np.nonzero(matrix)
    plan = Plan(rows, columns, matrix[rows, columns])
    return SolverOutput(plan, log["u"], log["v"], log["result_code"] == _OPTIMAL, SOLVER)
