"""Equal costs: every plan is optimal."""

from __future__ import annotations

import numpy as np

from wassay.transport.solvers.certify.candidate import Candidate, candidate_from_feasible_potentials
from wassay.transport.solvers.certify.solver_output import Solver
from wassay.transport.solvers.plan import northwest_corner
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.version import __version__

SOLVER = Solver("constant", f"wassay {__version__}")


def solve_constant(problem: TransportProblem) -> Candidate | None:
    """Solve a problem with equal costs by the northwest corner plan.

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    Candidate or None
        None if costs are not known to be equal, or are negative.
    """
    cost = problem.cost
    # A lower bound on the costs, and an upper bound on their absolute values.
    if cost.lowest != cost.largest:
        return None
    a, b = problem.row_weights, problem.column_weights
    plan = northwest_corner(a, b).project_to_marginals(a, b)
    f, g = np.full(len(a), cost.lowest), np.zeros(len(b))
    primal = float(cost.at(plan.rows, plan.columns) @ plan.mass)
    return candidate_from_feasible_potentials(problem, plan, f, g, primal, SOLVER)
