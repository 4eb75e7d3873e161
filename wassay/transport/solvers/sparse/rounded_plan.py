"""Bound the cost without the simplex, by rounding an entropic plan on listed pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.solver_output import Solver, SolverOutput
from wassay.transport.solvers.entropic.sparse_sinkhorn import (
    MAX_ERROR,
    MAX_ITERATIONS,
    iterate_on_pairs,
)
from wassay.transport.solvers.sparse.pair_list import PairList
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.version import __version__

SOLVER = Solver("sinkhorn", f"wassay {__version__}")

DIVISORS = (8, 16, 32)
"""ε is divided by one of these after the other, until the interval is narrow enough."""

SHARE_OF_GAP = 1 / 2
"""Share of the allowed gap that the listed pairs may use up; the others lower the lower bound."""


def rounded_plan(
    problem: TransportProblem,
    pairs: PairList,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    epsilon: float,
) -> SolverOutput | None:
    """Compute an entropic plan on listed pairs at small ε, and round it to the marginals.

    Parameters
    ----------
    problem : TransportProblem
    pairs : PairList
        Likely pairs.
    f, g : ndarray, shapes (n,) and (m,)
        Potentials near the optimal ones for the listed pairs.
    epsilon : float
        The ε of the entropic plan that the pairs come from; smaller ones are tried (`DIVISORS`).

    Returns
    -------
    SolverOutput or None
        A plan with the problem's marginals, and potentials that no listed pair violates. None if
        the list cannot carry the mass, or if the gap stays too large.
    """
    from wassay.transport.solvers.sparse.reduced_costs import lower_to_pairs

    a, b = problem.row_weights, problem.column_weights
    for divisor in DIVISORS:
        f, g, plan = iterate_on_pairs(problem, pairs, f, g, epsilon / divisor, MAX_ITERATIONS)
        if np.abs(np.bincount(plan.rows, plan.mass, len(a)) - a).sum() > MAX_ERROR:
            return None
        rounded = plan.project_to_marginals(a, b)
        primal = float(problem.cost.at(rounded.rows, rounded.columns) @ rounded.mass)
        row_minima, column_minima = np.full_like(f, np.inf), np.full_like(g, np.inf)
        lower_to_pairs(pairs.rows, pairs.columns, pairs.costs, f, g, row_minima, column_minima)
        feasible = np.where(np.isfinite(row_minima), row_minima, f)
        if primal - float(a @ feasible + b @ g) <= SHARE_OF_GAP * problem.allowed_gap(primal):
            return SolverOutput(rounded, feasible, g, True, SOLVER)
    return None
