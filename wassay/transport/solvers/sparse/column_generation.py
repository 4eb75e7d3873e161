"""Column generation: solve on a pair list, price all pairs, and add the violated ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate, candidates
from wassay.transport.solvers.certify.check_dual_feasibility import check_dual_feasibility
from wassay.transport.solvers.certify.dual_feasibility import DualFeasibility, FeasibilityCheck
from wassay.transport.solvers.certify.dual_potentials import rounding_error
from wassay.transport.solvers.certify.solver_output import SolverOutput
from wassay.transport.solvers.entropic.dense_sinkhorn import COARSE_TOLERANCE
from wassay.transport.solvers.entropic.likely_pairs import likely_pairs, significant_pairs
from wassay.transport.solvers.entropic.missing_mass import pairs_for_missing_mass
from wassay.transport.solvers.entropic.sample import EntropicPlan
from wassay.transport.solvers.entropic.sparse_sinkhorn import sparse_sinkhorn
from wassay.transport.solvers.plan import Plan, northwest_corner, sorted_unique
from wassay.transport.solvers.sparse.dual_recovery import recover_duals
from wassay.transport.solvers.sparse.pair_list import EMPTY_BASIS, PairList, solve_pair_list
from wassay.transport.solvers.sparse.rounded_plan import rounded_plan
from wassay.transport.solvers.transport_problem import TransportProblem

DROP_SHARE = 1e-3
"""Pairs may be dropped if their reduced cost exceeds this share of the largest in the pair list."""

MAX_ROUNDS = 60
"""Limit on the number of restricted problems."""


ROUNDING_SHARE_OF_GAP = 1 / 20
"""Share of the allowed gap that rounding errors of potentials may use up."""


class ColumnGeneration:
    """Column generation for one transport problem.

    Parameters
    ----------
    problem : TransportProblem
    likely : Plan
        The pairs to begin with. Others are added until the list admits a feasible plan.
    f, g : ndarray, shapes (n,) and (m,)
        Potentials near the optimum.
    first : SolverOutput, optional
        Result of the first round; by default, the first list is solved.
    costs : ndarray, optional
        Costs of the pairs in `likely`; computed by default. With costs, the pairs must be sorted by
        row and column, without duplicates.
    """

    def __init__(
        self,
        problem: TransportProblem,
        likely: Plan,
        f: NDArray[np.float64],
        g: NDArray[np.float64],
        first: SolverOutput | None = None,
        costs: NDArray[np.float64] | None = None,
    ) -> None:
        self.problem = problem
        self._f, self._g = f, g
        if costs is None:
            self._pairs = sorted_unique(self._keys(likely))
            costs = problem.cost.at(*self._rows_and_columns(self._pairs))
        else:
            self._pairs = self._keys(likely)
        self._costs = costs
        weights = problem.row_weights, problem.column_weights
        rest = likely.scaled_down(*weights).missing(*weights)
        self._add(self._keys(northwest_corner(*rest)))
        self._basis = EMPTY_BASIS
        self._best: Candidate | None = None
        self._first = first

    @classmethod
    def from_entropic(cls, problem: TransportProblem, entropic: EntropicPlan) -> ColumnGeneration:
        """Start from an entropic plan, after more iterations on its likely pairs."""
        f, g = entropic.f.astype(np.float64), entropic.g.astype(np.float64)
        rows, columns = np.divmod(likely_pairs(problem, entropic), problem.cost.shape[1])
        listed = PairList(rows, columns, problem.cost.at(rows, columns))
        sharper = sparse_sinkhorn(problem, listed, f, g, float(entropic.epsilon))
        f, g, first = sharper.f, sharper.g, None
        if problem.tolerance >= COARSE_TOLERANCE:
            # The rounded plan may be near enough to the optimum.
            first = rounded_plan(problem, listed, f, g, float(entropic.epsilon))
        run = cls(problem, sharper.plan, f, g, first, listed.costs)
        run._add(run._keys(pairs_for_missing_mass(problem, sharper.plan, f, g)))
        if sharper.was_gradual and first is None:
            # The potentials of far points have changed so much that other pairs are likely now.
            # Some hundred missing pairs take half as many pivots again, and two more rounds.
            better = EntropicPlan(
                f.astype(np.float32), g.astype(np.float32), np.float32(sharper.epsilon)
            )
            rows, columns = significant_pairs(problem, better)
            run._add(rows * problem.cost.shape[1] + columns)
        return run

    def solve_restricted(self) -> SolverOutput:
        """Solve the problem restricted to the pair list.

        If `first` was given, return it instead the first time.
        """
        problem, costs = self.problem, self._costs
        rows, columns = self._rows_and_columns(self._pairs)
        reduced = costs - self._f[rows] - self._g[columns]
        self._max_reduced_cost = float(np.abs(reduced).max())
        if self._first is not None:
            output, self._first = self._first, None
            self._f, self._g = output.f, output.g
            return output
        places, known = self._places(np.sort(self._basis))
        listed = PairList(rows, columns, reduced)
        output, basis = solve_pair_list(problem, listed, places[known])
        self._basis = self._pairs[basis]
        plan = output.plan.without_residues(problem.row_weights, problem.column_weights)
        f, g = self._f + output.f, self._g + output.g
        # At a degenerate vertex, far outliers can cause large potentials.
        if output.finished and _are_imprecise(problem, plan, f, g):
            f, g = recover_duals(plan, rows, columns, costs, problem.cost.shape)
        self._f = np.where(problem.row_weights > 0, f, 0.0)
        self._g = np.where(problem.column_weights > 0, g, 0.0)
        return replace(output, plan=plan, f=self._f, g=self._g)

    def advance(self, candidate: Candidate, *, last: bool) -> Candidate | None:
        """Return the best candidate if the run is over; else update the pair list and return None.

        `candidate` comes from the latest `solve_restricted`; after the `last` round, the run ends.
        """
        stuck = self._best is not None and candidate.gap >= self._best.gap
        if self._best is None or not stuck:
            self._best = candidate
        certified = self._best.certifies(self.problem)
        if certified or last:
            return replace(self._best, finished=candidate.finished)
        violated = self._keys(candidate.feasibility)
        # The run is also over if the round neither narrows the gap nor adds a pair.
        if stuck and self._places(violated)[1].all():
            return self._best
        # Drop costly pairs: they slow the simplex, and return as violated if they matter.
        limit = max(2 * candidate.feasibility.violation, DROP_SHARE * self._max_reduced_cost)
        rows, columns = self._rows_and_columns(self._pairs)
        remaining = self._costs - self._f[rows] - self._g[columns] <= limit
        self._pairs, self._costs = self._pairs[remaining], self._costs[remaining]
        self._add(np.concatenate([violated, self._keys(candidate.plan)]))
        return None

    def _add(self, keys: NDArray[np.intp]) -> None:
        """Add the pairs with these keys i·m + j to the pair list, unless it has them."""
        keys = sorted_unique(keys)
        places, known = self._places(keys)
        keys, places = keys[~known], places[~known]
        if len(keys):
            costs = self.problem.cost.at(*self._rows_and_columns(keys))
            self._pairs = np.insert(self._pairs, places, keys)
            self._costs = np.insert(self._costs, places, costs)

    def _places(self, keys: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return each key's index in the sorted pair list, and whether the list has the key.

        A key that the list lacks gets the index at which to insert it.
        """
        places = np.searchsorted(self._pairs, keys)
        inside = places < len(self._pairs)
        known = np.zeros(len(keys), bool)
        known[inside] = self._pairs[places[inside]] == keys[inside]
        return places, known

    def _keys(self, pairs: Plan | DualFeasibility) -> NDArray[np.intp]:
        """Encode pairs as keys, the integers i·m + j."""
        keys: NDArray[np.intp] = pairs.rows * self.problem.cost.shape[1] + pairs.columns
        return keys

    def _rows_and_columns(
        self, keys: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Decode pairs from their keys i·m + j."""
        return np.divmod(keys, self.problem.cost.shape[1])


def generate_columns(
    runs: Sequence[ColumnGeneration],
    check: FeasibilityCheck = check_dual_feasibility,
    max_rounds: int = MAX_ROUNDS,
) -> list[Candidate]:
    """Run column generation on several problems over the same costs, with one scan per round.

    Parameters
    ----------
    runs : sequence of ColumnGeneration
    check : callable
        Dual feasibility check, by default of all pairs.
    max_rounds : int

    Returns
    -------
    list of Candidate
        The best candidate of each run, certified or not.
    """
    best: dict[ColumnGeneration, Candidate] = {}
    rounds = 0
    while active := [run for run in runs if run not in best]:
        rounds += 1
        cost = active[0].problem.cost
        outputs = list(cost.threads.map(ColumnGeneration.solve_restricted, active))
        problems = [run.problem for run in active]
        solved = list(zip(problems, outputs, strict=True))
        results = candidates(solved, rounds=rounds, check=check)
        for run, result, output in zip(active, results, outputs, strict=True):
            outcome = run.advance(result, last=not output.finished or rounds == max_rounds)
            if outcome is not None:
                best[run] = outcome
    return [best[run] for run in runs]


def _are_imprecise(
    problem: TransportProblem, plan: Plan, f: NDArray[np.float64], g: NDArray[np.float64]
) -> bool:
    """Whether rounding errors of the potentials use up too much of the allowed gap."""
    primal = float(problem.cost.at(plan.rows, plan.columns) @ plan.mass)
    return rounding_error(f, g) > ROUNDING_SHARE_OF_GAP * problem.allowed_gap(primal)
