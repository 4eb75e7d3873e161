"""POT's network simplex behind two functions."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import ot
from numpy.typing import NDArray
from scipy.sparse import coo_array

from wassay.transport.plan import Plan
from wassay.transport.problem import Problem

SOLVER = "network-simplex"
VERSION = f"POT {ot.__version__}"

_OPTIMAL = 1


@dataclass(frozen=True, eq=False)
class Vertex:
    """Where the simplex stopped: anything, unless it finished, and to be checked in any case."""

    plan: Plan
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    finished: bool


def solve_all_pairs(problem: Problem) -> Vertex:
    """Solve over all pairs, held in memory."""
    cost = problem.cost.matrix()
    return problem.pulse.during(lambda: _solve(problem, cost))


def solve_listed_pairs(
    problem: Problem,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    costs: NDArray[np.float64],
) -> Vertex:
    """Solve over the listed pairs only, among which there must be a plan."""
    listed = coo_array((costs, (rows, columns)), shape=problem.cost.shape)
    return problem.pulse.during(lambda: _solve(problem, listed))


def _solve(problem: Problem, cost: NDArray[np.float64] | coo_array) -> Vertex:
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
    if isinstance(matrix, np.ndarray):
        rows, columns = np.nonzero(matrix)
        plan = Plan(rows, columns, matrix[rows, columns])
    else:
        plan = Plan(matrix.row.astype(np.intp), matrix.col.astype(np.intp), matrix.data)
    return Vertex(plan, log["u"], log["v"], log["result_code"] == _OPTIMAL)
