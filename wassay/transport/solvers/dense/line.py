"""Transport on a line: the monotone plan, and potentials computed from the costs of its pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate, candidate
from wassay.transport.solvers.certify.vertex import Solver, Vertex
from wassay.transport.solvers.plan import Plan, northwest_corner, sorted_unique
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.sparse.dual_recovery import recover_duals
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.version import __version__

SOLVER = Solver("sorting", f"wassay {__version__}")


def line_coordinates(cost: PreparedCost) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return coordinates for which the monotone plan is optimal, or None if none are known.

    There are such coordinates for points on a line, for any cost with two rows (sort the columns by
    C_1j − C_2j), and for any cost with two columns.
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
    """Solve by sorting: the monotone plan is optimal for convex costs of x − y.

    Reference: Hoeffding, Maßstabinvariante Korrelationstheorie (1940).

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    Candidate or None
        None if no coordinates are known for which the monotone plan is optimal.
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


def _staircase_duals(problem: TransportProblem, path: Plan) -> Vertex:
    """Return the plan, and potentials with zero reduced cost on the plan's pairs.

    Where the plan steps to a new row and a new column at once, the new row's potential is free
    between two bounds. It is chosen so that the new row and the old column have zero reduced cost.
    """
    rows, columns = _staircase(path)
    costs = problem.cost.at(rows, columns)
    steps = np.diff(costs)
    new_row, new_column = np.diff(rows) != 0, np.diff(columns) != 0
    f_steps = np.concatenate([[0.0], np.cumsum(np.where(new_row, steps, 0.0))])
    g_steps = np.concatenate([[0.0], np.cumsum(np.where(new_column, steps, 0.0))])
    n, m = problem.cost.shape
    f, g = np.empty(n), np.empty(m)
    f[rows], g[columns] = f_steps, costs[0] + g_steps
    return Vertex(path, f, g, finished=True, solver=SOLVER)


def _recovered_duals(problem: TransportProblem, path: Plan) -> Vertex:
    """Recover potentials of moderate size from costs on the plan's pairs and beside them.

    Where the plan steps to a new row and a new column at once, the pairs beside it are the old row
    with the new column, and the new row with the old column. The reduced costs are zero on the
    plan's pairs, and not negative on those beside them.
    """
    n, m = problem.cost.shape
    rows, columns = _staircase(path)
    diagonal = _diagonal_steps(path)
    corners = path.rows[diagonal] * m + path.columns[diagonal + 1]
    rows, columns = np.divmod(sorted_unique(rows * m + columns, corners), m)
    f, g = recover_duals(path, rows, columns, problem.cost.at(rows, columns), (n, m))
    return Vertex(path, f, g, finished=True, solver=SOLVER)


def _staircase(path: Plan) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the pairs of the plan's path, with one pair more where both row and column change."""
    diagonal = _diagonal_steps(path)
    rows = np.insert(path.rows, diagonal + 1, path.rows[diagonal + 1])
    columns = np.insert(path.columns, diagonal + 1, path.columns[diagonal])
    return rows, columns


def _diagonal_steps(path: Plan) -> NDArray[np.intp]:
    """Return the steps at which the path changes both row and column."""
    return np.flatnonzero((np.diff(path.rows) != 0) & (np.diff(path.columns) != 0))
