"""Costs of two values, such as zeros and ones: a maximum flow along pairs of the lower cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate
from wassay.transport.solvers.certify.check_dual_feasibility import (
    check_dual_feasibility,
    scan_in_float64,
)
from wassay.transport.solvers.certify.doubtful_pairs import MAX_PAIRS_PER_POINT
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.sparse.column_generation import ColumnGeneration, generate_columns
from wassay.transport.solvers.transport_problem import TransportProblem

# So few pairs, spread over a point's partners, nearly always carry as much mass as all pairs.
PAIRS_PER_POINT = 6
"""The number of pairs of each point in the first list."""

_GOLDEN = (np.sqrt(5) - 1) / 2
"""Multiples of this, modulo one, are spread evenly."""


def solve_two_costs(problem: TransportProblem) -> Candidate | None:
    """Solve a problem whose costs have only two values, the known bounds on the costs.

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    Candidate or None
        None if a cost equals neither `lowest` nor `largest` of `problem.cost`.
    """
    cost = problem.cost
    sampled = cost.at(*_diagonal(*cost.shape))
    if not ((sampled == cost.lowest) | (sampled == cost.largest)).all():
        return None
    costs = cost.matrix()
    low = costs == cost.lowest
    number = np.count_nonzero(low)
    if number + np.count_nonzero(costs == cost.largest) < costs.size:
        return None
    # With few low costs, the feasibility check scans in float32, for which storing costs pays.
    # A scan in float32 would not rule out the pairs of the lower cost: all have about the same.
    check = scan_in_float64
    if number <= MAX_PAIRS_PER_POINT * sum(cost.shape):
        cost.materialize()
        check = check_dual_feasibility
    rows, columns = _some_of_each_row(low)
    other_columns, other_rows = _some_of_each_row(np.ascontiguousarray(low.T))
    rows, columns = np.concatenate([rows, other_rows]), np.concatenate([columns, other_columns])
    likely = Plan(rows, columns, np.zeros(len(rows)))
    f, g = np.full(len(costs), cost.lowest), np.zeros(costs.shape[1])
    return generate_columns([ColumnGeneration(problem, likely, f, g)], check=check)[0]


def _diagonal(n: int, m: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return pairs in which every row and every column occurs."""
    steps = np.arange(max(n, m))
    return steps % n, steps % m


def _some_of_each_row(low: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a few of the pairs that `low` marks in each row, spread over the columns."""
    n, m = low.shape
    pairs = np.flatnonzero(low)
    bounds = np.searchsorted(pairs, np.arange(n + 1) * m)
    starts, counts = bounds[:-1], np.diff(bounds)
    offsets = np.arange(n) * _GOLDEN % 1
    shares = (np.arange(PAIRS_PER_POINT)[:, None] + offsets) / PAIRS_PER_POINT
    chosen = (starts + (shares * counts).astype(np.intp))[:, counts > 0].ravel()
    return np.divmod(pairs[chosen], m)
