"""A single point on one side: there is only one plan."""

from __future__ import annotations

import numpy as np

from wassay.transport.solvers.certify.candidate import Candidate, candidate_from_feasible_potentials
from wassay.transport.solvers.dense.nearest_neighbour import SOLVER
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.transport_problem import TransportProblem


def solve_single_point(problem: TransportProblem) -> Candidate | None:
    """Solve a problem with a single row or column, for which there is only one plan.

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    Candidate or None
        None if both sides have more than one point.
    """
    n, m = problem.cost.shape
    if min(n, m) > 1:
        return None
    costs = problem.cost.matrix()
    if n == 1:
        plan = Plan(np.zeros(m, np.intp), np.arange(m), problem.column_weights)
        f, g = np.zeros(1), costs[0]
    else:
        plan = Plan(np.arange(n), np.zeros(n, np.intp), problem.row_weights)
        f, g = costs[:, 0], np.zeros(1)
    primal = float(costs.ravel() @ plan.mass)
    return candidate_from_feasible_potentials(problem, plan, f, g, primal, SOLVER)
