"""Exact transport over few pairs: solve on a list, look at all pairs, lengthen the list.

The list starts with the pairs to which an entropic plan sends mass. Most of the other nm pairs are
never handed to the simplex, and are only looked at to prove that they do not matter.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.anchoring import anchored
from wassay.transport.candidate import Candidate, candidate
from wassay.transport.listed import Listed, solve_listed_pairs
from wassay.transport.plan import Plan
from wassay.transport.problem import Problem

SHRINK = 1e-3
"""Pairs above this share of the dearest listed one may go off the list."""

MOST_ROUNDS = 60

SHARE_FOR_ROUNDING = 1 / 20
"""Of the gap that is allowed, so much may come from the rounding of potentials."""


def solve_restricted(
    problem: Problem, likely: Plan, f: NDArray[np.float64], g: NDArray[np.float64]
) -> Candidate:
    """Start from a list of likely pairs and from potentials near the optimum.

    Ends when the gap is proven small, or when a round cannot improve it any more.
    """
    m = problem.cost.shape[1]
    feasible = likely.rounded(problem.row_weights, problem.column_weights)
    keys = _merged(feasible.rows * m + feasible.columns)
    tree = np.empty(0, dtype=np.intp)
    best: Candidate | None = None
    rounds = 0
    while True:
        rounds += 1
        rows, columns = np.divmod(keys, m)
        costs = problem.cost.at(rows, columns)
        reduced = costs - f[rows] - g[columns]
        basis = np.flatnonzero(np.isin(keys, tree, assume_unique=True))
        vertex, basis = solve_listed_pairs(problem, Listed(rows, columns, reduced), basis)
        tree = keys[basis]
        f, g = f + vertex.f, g + vertex.g
        if vertex.finished and _is_lost_in_rounding(problem, vertex.plan, f, g):
            f, g = anchored(vertex.plan, rows, columns, costs, problem.cost.shape)
        found = candidate(problem, replace(vertex, f=f, g=g), rounds=rounds)
        stuck = best is not None and found.gap >= best.gap
        if best is None or not stuck:
            best = found
        if problem.proven(best.primal, best.dual) or not vertex.finished or rounds == MOST_ROUNDS:
            return best
        offenders = found.inspection.rows * m + found.inspection.columns
        if stuck and len(_merged(keys, offenders)) == len(keys):
            return best
        # Dear pairs go: they slow the simplex, and come back as offenders if they matter.
        dear = max(2 * found.inspection.violation, SHRINK * float(np.abs(reduced).max()))
        kept = keys[costs - f[rows] - g[columns] <= dear]
        keys = _merged(kept, offenders, found.plan.rows * m + found.plan.columns)


def _is_lost_in_rounding(
    problem: Problem, plan: Plan, f: NDArray[np.float64], g: NDArray[np.float64]
) -> bool:
    """Whether potentials are so large that their rounding alone is more than the gap allowed.

    Points far from all others have such potentials at a vertex, but need not.
    """
    rounding = float(np.finfo(np.float64).eps) * float(max(np.abs(f).max(), np.abs(g).max()))
    primal = float(problem.cost.at(plan.rows, plan.columns) @ plan.mass)
    return rounding > max(SHARE_FOR_ROUNDING * problem.tolerance * abs(primal), problem.rounding)


def _merged(*keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """All keys once, ascending: sorting is several times as fast as numpy's hashing."""
    merged = np.sort(np.concatenate(keys))
    first = np.ones(len(merged), dtype=bool)
    np.not_equal(merged[1:], merged[:-1], out=first[1:])
    return merged[first]
