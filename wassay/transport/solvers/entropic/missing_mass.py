"""Find cheap pairs for the mass that an entropic plan misplaces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.entropic.cheapest_pairs import cheapest_of_columns, cheapest_of_rows
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.transport_problem import TransportProblem

MISSING_SHARE = 0.01
"""A point misses mass if it has less than 1 − this share of its weight."""

PAIRS_PER_POINT = 10
"""The number of pairs of each point that misses mass."""


def pairs_for_missing_mass(
    problem: TransportProblem, plan: Plan, f: NDArray[np.float64], g: NDArray[np.float64]
) -> Plan:
    """Find the cheapest pairs of each point that misses mass (see `MISSING_SHARE`).

    Only pairs of two points that both miss mass are considered.

    Parameters
    ----------
    problem : TransportProblem
    plan : Plan
        Its marginals may be wrong.
    f, g : ndarray, shapes (n,) and (m,)
        Potentials near the optimum.

    Returns
    -------
    Plan
        The pairs, with zero mass.
    """
    # Sinkhorn's iteration is stopped early, so some points send or receive too little. Without
    # cheap pairs, arbitrary pairs would carry this mass and spoil the potentials.
    weights = problem.row_weights, problem.column_weights
    # A point with too much mass is scaled down, which leaves its partners with too little.
    row_rest, column_rest = plan.scaled_down(*weights).missing(*weights)
    rows = np.flatnonzero(row_rest > MISSING_SHARE * problem.row_weights)
    columns = np.flatnonzero(column_rest > MISSING_SHARE * problem.column_weights)
    single_f, single_g = f.astype(np.float32), g.astype(np.float32)
    return cheapest_of_rows(problem.cost, rows, columns, single_g, PAIRS_PER_POINT).joined(
        cheapest_of_columns(problem.cost, rows, columns, single_f, PAIRS_PER_POINT)
    )
