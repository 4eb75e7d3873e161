"""Solve problems of a few points against very many: the simplex assigns only some of the many."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate, candidate
from wassay.transport.solvers.certify.solver_output import SolverOutput
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.sparse.pair_list import (
    EMPTY_BASIS,
    SOLVER,
    PairList,
    solve_pair_list,
)
from wassay.transport.solvers.transport_problem import TransportProblem

Reals = NDArray[np.float64]

MAX_FEW = 8
"""Up to this many points are few."""

SAMPLING = 16
"""One column in this many is sampled."""

MIN_SAMPLE = 1000
"""Minimum size of a sample. Problems with at most as many columns need no sample."""

MAX_FOR_SIMPLEX = 10_000
"""Up to this many columns go to the simplex if a sample does not assign most of them."""

UNDECIDED = 4.0
"""The share of columns left undecided at first, as a multiple of 1/√(size of the sample)."""

MAX_UNDECIDED_SHARE = 0.25
"""If a larger share of columns is undecided, as when many tie, other solvers are faster."""

ROUNDING = 1e-14
"""In a decided column, C_ij − f_i may exceed its minimum over rows by this much."""


def solve_few_points(problem: TransportProblem) -> Candidate | None:
    """Solve a problem with two to eight rows or columns.

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    Candidate or None
        None for other problems, and if the simplex would have to assign too many points.
    """
    n, m = problem.cost.shape
    if not 1 < min(n, m) <= MAX_FEW:
        return None
    costs, a, b = problem.cost.matrix(), problem.row_weights, problem.column_weights
    if n > m:
        costs, a, b = costs.T, b, a
    found = _solve(problem, costs, a, b)
    if found is None:
        return None
    plan, f, g = found.plan, found.f, (costs - found.f[:, None]).min(axis=0)
    if n > m:
        plan, f, g = Plan(plan.columns, plan.rows, plan.mass), g, f
    return candidate(problem, SolverOutput(plan, f, g, found.finished, SOLVER))


@dataclass(frozen=True, eq=False)
class _Found:
    """A plan between the few rows and some of the columns, and the rows' potentials."""

    plan: Plan
    f: Reals
    finished: bool


def _solve(problem: TransportProblem, costs: Reals, a: Reals, b: Reals) -> _Found | None:
    k, m = costs.shape
    if m <= MIN_SAMPLE:
        return _solve_by_simplex(problem, costs, a, b)
    number = max(MIN_SAMPLE, m // SAMPLING)
    steps = (np.arange(number) + 0.5) / number
    chosen, counts = np.unique(np.searchsorted(np.cumsum(b / b.sum()), steps), return_counts=True)
    chosen = np.minimum(chosen, m - 1)
    # The rows' potentials from a sample of the columns decide most columns.
    sampled = _solve(problem, costs[:, chosen], a, counts * (a.sum() / number))
    if sampled is None:
        return None
    f = sampled.f
    undecided_number = int(UNDECIDED * m / np.sqrt(number))
    while undecided_number <= MAX_UNDECIDED_SHARE * m:
        # A column goes to the row with the least C_ij − f_i, unless another costs nearly the same.
        reduced = costs - f[:, None]
        nearest = reduced.argmin(axis=0)
        lowest = reduced[nearest, np.arange(m)]
        reduced[nearest, np.arange(m)] = np.inf
        margin = reduced.min(axis=0) - lowest
        parted = np.argpartition(margin, undecided_number)
        undecided, decided = np.sort(parted[:undecided_number]), parted[undecided_number:]
        rest = a - np.bincount(nearest[decided], b[decided], k)
        undecided_number *= 2
        if (rest < 0).any():
            continue
        found = _solve(problem, costs[:, undecided], rest, b[undecided])
        if found is None:
            return None
        f = found.f
        # The plan is optimal if the new potentials decide the other columns as before.
        reduced = costs[:, decided] - f[:, None]
        kept = reduced[nearest[decided], np.arange(len(decided))] - reduced.min(axis=0)
        if kept.max(initial=0.0) <= ROUNDING:
            plan = Plan(found.plan.rows, undecided[found.plan.columns], found.plan.mass)
            return _Found(
                plan.joined(Plan(nearest[decided], decided, b[decided])), f, found.finished
            )
    return _solve_by_simplex(problem, costs, a, b) if m <= MAX_FOR_SIMPLEX else None


def _solve_by_simplex(problem: TransportProblem, costs: Reals, a: Reals, b: Reals) -> _Found:
    """Solve for these costs and weights by the simplex, with the options of `problem`.

    The sums of the weights `a` and `b` need not be 1.
    """
    k, m = costs.shape
    total = a.sum()
    part = replace(problem, row_weights=a / total, column_weights=b / b.sum())
    pairs = PairList(np.repeat(np.arange(k), m), np.tile(np.arange(m), k), costs.ravel())
    output, _ = solve_pair_list(part, pairs, EMPTY_BASIS)
    plan = Plan(output.plan.rows, output.plan.columns, output.plan.mass * total)
    return _Found(plan, output.f, output.finished)
