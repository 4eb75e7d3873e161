"""Transport on a line: sorted points meet in order, and the potentials follow from their costs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate, candidate
from wassay.transport.solvers.certify.vertex import Solver, Vertex
from wassay.transport.solvers.plan import Plan, merged, north_west
from wassay.transport.solvers.prepared import PreparedCost
from wassay.transport.solvers.problem import Problem
from wassay.transport.solvers.sparse.dual_recovery import recover_duals
from wassay.version import __version__

SOLVER = Solver("sorting", f"wassay {__version__}")


def coordinates(cost: PreparedCost) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """By which rows and columns are sorted so that they meet in order, where there is such a thing.

    Points of a line have it; so have two rows, the first of which takes the columns that are nearer
    to it than to the second by most.
    """
    n, m = cost.shape
    if n == 2:
        costs = cost.matrix()
        return np.arange(2.0), costs[0] - costs[1]
    if m == 2:
        costs = cost.matrix()
        return costs[:, 0] - costs[:, 1], np.arange(2.0)
    return cost.line()


def solve_on_line(
    problem: Problem, rows: NDArray[np.float64], columns: NDArray[np.float64]
) -> Candidate:
    """The monotone plan, optimal for every convex cost of the difference (Hoeffding 1940).

    Parameters
    ----------
    problem : Problem
        Whose costs are |x − y|^p.
    rows, columns : ndarray, shapes (n,) and (m,)
        Coordinates.
    """
    row_order, column_order = np.argsort(rows, kind="stable"), np.argsort(columns, kind="stable")
    path = north_west(problem.row_weights[row_order], problem.column_weights[column_order])
    plan = Plan(row_order[path.rows], column_order[path.columns], path.mass)
    plan = plan.without_residues(problem.row_weights, problem.column_weights)
    found = candidate(problem, _priced(problem, plan))
    if found.proves(problem):
        return found
    # Potentials that add up along the line are lost in the rounding of points far from all others.
    return candidate(problem, _anchored(problem, plan))


def _priced(problem: Problem, path: Plan) -> Vertex:
    """Potentials for which the whole path is tight.

    Where the path steps on to another row and another column at once, any price of the next row
    between two bounds will do; the pair of the next row and the old column is made tight too.
    """
    rows, columns = _stairs(path)
    costs = problem.cost.at(rows, columns)
    steps = np.diff(costs)
    new_row, new_column = np.diff(rows) != 0, np.diff(columns) != 0
    f_steps = np.concatenate([[0.0], np.cumsum(np.where(new_row, steps, 0.0))])
    g_steps = np.concatenate([[0.0], np.cumsum(np.where(new_column, steps, 0.0))])
    n, m = problem.cost.shape
    f, g = np.empty(n), np.empty(m)
    f[rows], g[columns] = f_steps, costs[0] + g_steps
    return Vertex(path, f, g, finished=True, solver=SOLVER)


def _anchored(problem: Problem, path: Plan) -> Vertex:
    """Small potentials: the path is tight, and pairs beside a diagonal step are not violated."""
    n, m = problem.cost.shape
    rows, columns = _stairs(path)
    diagonal = _diagonal_steps(path)
    corners = path.rows[diagonal] * m + path.columns[diagonal + 1]
    rows, columns = np.divmod(merged(rows * m + columns, corners), m)
    f, g = recover_duals(path, rows, columns, problem.cost.at(rows, columns), (n, m))
    return Vertex(path, f, g, finished=True, solver=SOLVER)


def _stairs(path: Plan) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The path's pairs, with one more wherever it steps diagonally."""
    diagonal = _diagonal_steps(path)
    rows = np.insert(path.rows, diagonal + 1, path.rows[diagonal + 1])
    columns = np.insert(path.columns, diagonal + 1, path.columns[diagonal])
    return rows, columns


def _diagonal_steps(path: Plan) -> NDArray[np.intp]:
    """Where the path steps on to another row and another column at once."""
    return np.flatnonzero((np.diff(path.rows) != 0) & (np.diff(path.columns) != 0))
