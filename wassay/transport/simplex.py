"""POT's network simplex behind two functions."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import ot
from numpy.typing import NDArray
from scipy.sparse import coo_array

from wassay.transport.plan import Plan

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


def solve_dense(
    cost: NDArray[np.float64],
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    max_iterations: int,
) -> Vertex:
    """Solve over all pairs; weights positive, costs finite and of order one."""
    return _solve(cost, row_weights, column_weights, max_iterations)


def solve_listed(
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    costs: NDArray[np.float64],
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    max_iterations: int,
) -> Vertex:
    """Solve over the listed pairs only, among which there must be a plan."""
    shape = len(row_weights), len(column_weights)
    listed = coo_array((costs, (rows, columns)), shape=shape)
    return _solve(listed, row_weights, column_weights, max_iterations)


def _solve(
    cost: NDArray[np.float64] | coo_array,
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    max_iterations: int,
) -> Vertex:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what POT warns of is what the certificate measures
        matrix, log = ot.emd(
            row_weights, column_weights, cost, max_iterations, log=True, center_dual=False
        )
    if isinstance(matrix, np.ndarray):
        rows, columns = np.nonzero(matrix)
        plan = Plan(rows, columns, matrix[rows, columns])
    else:
        plan = Plan(matrix.row.astype(np.intp), matrix.col.astype(np.intp), matrix.data)
    return Vertex(plan, log["u"], log["v"], log["result_code"] == _OPTIMAL)
