"""Exact transport over few pairs: solve on a list, look at all pairs, lengthen the list.

The list starts with the pairs to which an entropic plan sends mass. Most of the other nm pairs are
never handed to the simplex, and are only looked at to prove that they do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate, candidates
from wassay.transport.solvers.certify.dual_feasibility import (
    Inspecting,
    Inspection,
    inspect,
    rounding_of,
)
from wassay.transport.solvers.certify.vertex import Vertex
from wassay.transport.solvers.entropic.annealing import EntropicPlan
from wassay.transport.solvers.entropic.sparse_sinkhorn import sparse_sinkhorn
from wassay.transport.solvers.plan import Plan, merged
from wassay.transport.solvers.problem import Problem
from wassay.transport.solvers.sparse.dual_recovery import recover_duals
from wassay.transport.solvers.sparse.simplex import NOTHING_KNOWN, Listed, solve_listed_pairs

SHRINK = 1e-3
"""Pairs above this share of the dearest listed one may go off the list."""

MOST_ROUNDS = 60

SHARE_FOR_ROUNDING = 1 / 20
"""Of the gap that is allowed, so much may come from the rounding of potentials."""


class Search:
    """The search for one problem's optimum: a list of pairs, and the best that it has given.

    Parameters
    ----------
    problem : Problem
    likely : Plan
        Pairs that are likely to matter; others are added so that there is a plan among them.
    f, g : ndarray, shapes (n,) and (m,)
        Potentials near the optimum.
    """

    def __init__(
        self,
        problem: Problem,
        likely: Plan,
        f: NDArray[np.float64],
        g: NDArray[np.float64],
    ) -> None:
        self.problem = problem
        self._f, self._g = f, g
        self._listed = self._keys(likely.rounded(problem.row_weights, problem.column_weights))
        self._tree = NOTHING_KNOWN
        self._best: Candidate | None = None

    @classmethod
    def among(cls, problem: Problem, likely: Plan, entropic: EntropicPlan) -> Search:
        """Begin with the likely pairs of an entropic plan, and sharper potentials than its own."""
        f, g = entropic.f.astype(np.float64), entropic.g.astype(np.float64)
        costs = problem.cost.at(likely.rows, likely.columns)
        f, g = sparse_sinkhorn(problem, likely, costs, f, g, float(entropic.epsilon))
        return cls(problem, likely, f, g)

    def vertex(self) -> Vertex:
        """Solve over the listed pairs."""
        problem, shape = self.problem, self.problem.cost.shape
        rows, columns = np.divmod(self._listed, shape[1])
        costs = problem.cost.at(rows, columns)
        reduced = costs - self._f[rows] - self._g[columns]
        known = np.flatnonzero(np.isin(self._listed, self._tree, assume_unique=True))
        vertex, basis = solve_listed_pairs(problem, Listed(rows, columns, reduced), known)
        self._tree = self._listed[basis]
        plan = vertex.plan.without_residues(problem.row_weights, problem.column_weights)
        f, g = self._f + vertex.f, self._g + vertex.g
        if vertex.finished and _is_lost_in_rounding(problem, plan, f, g):
            f, g = recover_duals(plan, rows, columns, costs, shape)
        self._f = np.where(problem.row_weights > 0, f, 0.0)
        self._g = np.where(problem.column_weights > 0, g, 0.0)
        self._dearest = float(np.abs(reduced).max())
        return replace(vertex, plan=plan, f=self._f, g=self._g)

    def judged(self, found: Candidate, *, last: bool) -> Candidate | None:
        """Return the best candidate if the search has ended, else go on with another list.

        It has ended when the gap is proven small, or when a round cannot improve it any more.
        """
        stuck = self._best is not None and found.gap >= self._best.gap
        if self._best is None or not stuck:
            self._best = found
        proven = self._best.proves(self.problem)
        if proven or last:
            return replace(self._best, finished=found.finished)
        offenders = self._keys(found.inspection)
        if stuck and len(merged(self._listed, offenders)) == len(self._listed):
            return self._best
        # Dear pairs go: they slow the simplex, and come back as offenders if they matter.
        dear = max(2 * found.inspection.violation, SHRINK * self._dearest)
        rows, columns = np.divmod(self._listed, self.problem.cost.shape[1])
        reduced = self.problem.cost.at(rows, columns) - self._f[rows] - self._g[columns]
        kept = self._listed[reduced <= dear]
        self._listed = merged(kept, offenders, self._keys(found.plan))
        return None

    def _keys(self, pairs: Plan | Inspection) -> NDArray[np.intp]:
        """Pairs by one number each, ascending."""
        return merged(pairs.rows * self.problem.cost.shape[1] + pairs.columns)


def solve_restricted(
    searches: Sequence[Search],
    inspecting: Inspecting = inspect,
    most_rounds: int = MOST_ROUNDS,
) -> list[Candidate]:
    """Let searches over the same costs go on until all have ended, or for so many rounds.

    Those that have not are solved beside each other, and inspected in one pass over the costs.
    """
    best: dict[Search, Candidate] = {}
    rounds = 0
    while going_on := [search for search in searches if search not in best]:
        rounds += 1
        cost = going_on[0].problem.cost
        vertices = list(cost.threads.map(Search.vertex, going_on))
        problems = [search.problem for search in going_on]
        offers = list(zip(problems, vertices, strict=True))
        found = candidates(offers, rounds=rounds, inspecting=inspecting)
        for search, one, vertex in zip(going_on, found, vertices, strict=True):
            ended = search.judged(one, last=not vertex.finished or rounds == most_rounds)
            if ended is not None:
                best[search] = ended
    return [best[search] for search in searches]


def _is_lost_in_rounding(
    problem: Problem, plan: Plan, f: NDArray[np.float64], g: NDArray[np.float64]
) -> bool:
    """Whether potentials are so large that their rounding alone is more than the gap allowed.

    Points far from all others have such potentials at a vertex, but need not.
    """
    primal = float(problem.cost.at(plan.rows, plan.columns) @ plan.mass)
    return rounding_of(f, g) > SHARE_FOR_ROUNDING * problem.allowed(primal)
