"""Transport on a line: the monotone plan, and potentials computed from the costs of its pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate, candidate
from wassay.transport.solvers.certify.solver_output import Solver, SolverOutput
from wassay.transport.solvers.plan import Plan, northwest_corner, sorted_unique
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.sparse.dual_recovery import recover_duals
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.version import __version__

SOLVER = Solver("sorting", f"wassay {__version__}")


def line_coordinates(cost: PreparedCost) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return coordinates for which the monotone plan is optimal, or None if none are known.

    They are known for points on a line, and for any cost with two rows or two columns.
    """
    n, m = cost.shape
    if n == 2:
        costs = cost.matrix()
        return np.arange(2.0), costs[0] - costs[1]
    if m == 2:
        costs = cost.matrix()
        return costs[:, 0] - costs[:, 1], np.arange(2.0)
    return cost.line()


def solve_line(problem: TransportProblem) -> Candidate | None:
    """Solve by sorting both sides along a line (Hoeffding, Maßstabinvariante Korrelationstheorie,
    1940).

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    Candidate or None
        None if no coordinates are known in which the monotone plan is optimal.
    """
    line = line_coordinates(problem.cost)
    if line is None:
        return None
    rows, columns = line
    row_permutation = np.argsort(rows, kind="stable")
    column_permutation = np.argsort(columns, kind="stable")
    path = northwest_corner(
        problem.row_weights[row_permutation], problem.column_weights[column_permutation]
    )
    plan = Plan(row_permutation[path.rows], column_permutation[path.columns], path.mass)
    plan = plan.without_residues(problem.row_weights, problem.column_weights)
    result = candidate(problem, _staircase_duals(problem, plan))
    if result.certifies(problem):
        return result
    # These potentials are sums of costs along the line, so far outliers make their rounding errors
    # large. Recover smaller potentials from the plan.
    return candidate(problem, _recovered_duals(problem, plan))


def _staircase_duals(problem: TransportProblem, path: Plan) -> SolverOutput:
    """Return the plan `path`, with potentials that give each of its pairs the reduced cost 0."""
    rows, columns = _staircase(path)
    costs = problem.cost.at(rows, columns)
    steps = np.diff(costs)
    new_row, new_column = np.diff(rows) != 0, np.diff(columns) != 0
    f_steps = np.concatenate([[0.0], np.cumsum(np.where(new_row, steps, 0.0))])
    g_steps = np.concatenate([[0.0], np.cumsum(np.where(new_column, steps, 0.0))])
    n, m = problem.cost.shape
    f, g = np.empty(n), np.empty(m)
    f[rows], g[columns] = f_steps, costs[0] + g_steps
    return SolverOutput(path, f, g, finished=True, solver=SOLVER)


def _recovered_duals(problem: TransportProblem, path: Plan) -> SolverOutput:
    """Return the plan `path`, with optimal potentials of moderate size (see `recover_duals`)."""
    n, m = problem.cost.shape
    rows, columns = _staircase(path)
    diagonal = _diagonal_steps(path)
    # At a diagonal step, the staircase has one pair beside the plan, and the corner is the other.
    corners = path.rows[diagonal] * m + path.columns[diagonal + 1]
    rows, columns = np.divmod(sorted_unique(rows * m + columns, corners), m)
    f, g = recover_duals(path, rows, columns, problem.cost.at(rows, columns), (n, m))
    return SolverOutput(path, f, g, finished=True, solver=SOLVER)


def _staircase(path: Plan) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows and columns of the plan's pairs, with a pair inserted at each diagonal step.

    The pair between the pairs k and k + 1 has the row of pair k + 1 and the column of pair k.
    """
    diagonal = _diagonal_steps(path)
    rows = np.insert(path.rows, diagonal + 1, path.rows[diagonal + 1])
    columns = np.insert(path.columns, diagonal + 1, path.columns[diagonal])
    return rows, columns


def _diagonal_steps(path: Plan) -> NDArray[np.intp]:
    """Return the indices k at which pair k + 1 has another row and another column than pair k."""
    return np.flatnonzero((np.diff(path.rows) != 0) & (np.diff(path.columns) != 0))
