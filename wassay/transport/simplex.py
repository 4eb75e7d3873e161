"""POT's network simplex behind one function."""

from __future__ import annotations

import warnings

import numpy as np
import ot
from numpy.typing import NDArray

from wassay.transport.plan import Plan, RawSolution

SOLVER = "network-simplex"
VERSION = f"POT {ot.__version__}"


def solve_dense(
    cost: NDArray[np.float64],
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    max_iterations: int,
) -> RawSolution:
    """Solve a whole matrix; all weights positive, costs finite and of order one.

    The result may be anything when the iterations run out: it has to be certified.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what POT warns of is what the certificate measures
        matrix, log = ot.emd(
            row_weights, column_weights, cost, max_iterations, log=True, center_dual=False
        )
    rows, columns = np.nonzero(matrix)
    plan = Plan(rows, columns, matrix[rows, columns])
    return RawSolution(plan, log["u"], log["v"], SOLVER, VERSION)
