"""A buyer and sellers with all their costs: where the problems of an evaluation are solved."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.errors import TransportError
from wassay.transport.market.combined_measure import CombinedMeasure
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.market.subproblems import (
    GRAND_COALITION,
    Coalition,
    PartyScores,
    SolvedSubproblem,
    Subproblem,
)
from wassay.transport.measure import MASS_TOLERANCE, as_weights
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.solvers.prepared import default_memory_budget
from wassay.transport.solvers.solution import Solution
from wassay.transport.sweeps.sweep_solver import SweepSolver


class Market:
    """A buyer and sellers, with all costs between them.

    Parameters
    ----------
    buyer_weights : array_like, shape (m,)
        Of the buyer's points.
    sellers : sequence of SellerCosts
        At least one, with distinct ids.
    sweep : sequence of float
        The s to solve, at least three; every seller needs costs for all of them.
    p : {1, 2}
    seller_weights : mapping of seller id to float, optional
        w_i, summing to one; n_i / Σ n by default, so that every point counts the same.

    Raises
    ------
    TransportError
        When sellers, sweep, weights or costs do not fit together.
    """

    def __init__(
        self,
        buyer_weights: ArrayLike,
        sellers: Sequence[SellerCosts],
        sweep: Sequence[float],
        *,
        p: Power = 2,
        seller_weights: Mapping[str, float] | None = None,
    ) -> None:
        self.sweep = _checked_sweep(sellers, sweep)
        self.shares = _shares({each.contribution_id: each.size for each in sellers}, seller_weights)
        self._p: Power = p
        self._sellers = {seller.contribution_id: seller for seller in sellers}
        self._together = CombinedMeasure(tuple(sellers), tuple(self.shares.values()))
        self._buyer = as_weights(buyer_weights, sellers[0].costs[self.sweep[0]].shape[1])
        entries = len(self._together.weights) * len(self._buyer)
        self._all_fit = entries * np.float64().itemsize <= default_memory_budget()
        self._along: SweepSolver[Coalition] = SweepSolver(p)
        self._at_hand: tuple[float, dict[str, Cost]] = (self.sweep[0], {})

    def solve(
        self, problems: Iterable[Subproblem], progress: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[SolvedSubproblem, PartyScores | None]]:
        """Solve problems, those of one s after the other, and score all sellers' points
        together.

        Neighbours of one s that have most of the points are solved side by side, which takes a
        fraction of the time. What is found of a coalition at one s is tried at the others.

        Parameters
        ----------
        problems : iterable of Subproblem
        progress : callable
            Called about four times a second; what it raises ends the solve.

        Yields
        ------
        SolvedSubproblem
        PartyScores or None

        Raises
        ------
        TransportError
            When costs are not what they have to be.
        NotCertified
            When a solve could not be proven.
        """
        in_order = sorted(problems, key=lambda problem: problem.s)
        for s, of_one_s in groupby(in_order, key=lambda problem: problem.s):
            for alike, run in groupby(of_one_s, key=self._has_most_points):
                coalitions = [problem.coalition for problem in run]
                solutions = self._side_by_side if alike else self._one_by_one
                for coalition, solution in zip(
                    coalitions, solutions(coalitions, s, progress), strict=True
                ):
                    yield self._solved(Subproblem(coalition, s), solution)

    def _has_most_points(self, problem: Subproblem) -> bool:
        sizes = {contribution_id: seller.size for contribution_id, seller in self._sellers.items()}
        return 2 * problem.coalition.size(sizes) > sum(sizes.values())

    def _one_by_one(
        self, coalitions: Sequence[Coalition], s: float, progress: Callable[[], None]
    ) -> Iterator[Solution]:
        for coalition in coalitions:
            combined = self._coalition(coalition)
            weights = combined.weights, self._buyer
            cost_at = partial(self._cost, combined, s)
            yield from self._along.solve([coalition], s, cost_at, [weights], progress)

    def _side_by_side(
        self, coalitions: Sequence[Coalition], s: float, progress: Callable[[], None]
    ) -> Iterator[Solution]:
        present = [self._present(coalition) for coalition in coalitions]
        weights = []
        for coalition, rows in zip(coalitions, present, strict=True):
            own = np.zeros(len(rows))
            own[rows] = self._coalition(coalition).weights
            weights.append((own, self._buyer))
        cost_at = partial(self._cost, self._together, s)
        solutions = self._along.solve(coalitions, s, cost_at, weights, progress)
        for rows, solution in zip(present, solutions, strict=True):
            yield solution.restrict_to_rows(rows)

    def _present(self, coalition: Coalition) -> NDArray[np.bool_]:
        """Which of all sellers' points belong to a coalition."""
        members = {member.contribution_id for member in self._coalition(coalition).members}
        return np.concatenate(
            [np.full(each.size, each.contribution_id in members) for each in self._together.members]
        )

    def _solved(
        self, problem: Subproblem, solution: Solution
    ) -> tuple[SolvedSubproblem, PartyScores | None]:
        combined = self._coalition(problem.coalition)
        point = combined.point(self._p, problem.s, self.sweep, solution)
        solved = SolvedSubproblem(problem, point, combined.displacement)
        if problem.coalition != GRAND_COALITION:
            return solved, None
        cost_at = partial(self._cost, combined, problem.s)
        row_scores, buyer_scores = self._along.scores(GRAND_COALITION, problem.s, cost_at, solution)
        return solved, PartyScores(buyer_scores, dict(self._each_sellers(row_scores)))

    def _coalition(self, coalition: Coalition) -> CombinedMeasure:
        if coalition.kind == "coalition":
            return self._together.only(set(coalition.members))
        if coalition.contribution_id is None:
            return self._together
        if coalition.kind == "singleton":
            return CombinedMeasure((self._sellers[coalition.contribution_id],), (1.0,))
        return self._together.without(coalition.contribution_id)

    def _cost(self, combined: CombinedMeasure, now: float, s: float) -> Cost:
        """A coalition's costs at s, in memory for the s that is being solved now."""
        if s != now:
            return combined.cost(
                {member.contribution_id: member.costs[s] for member in combined.members}
            )
        return combined.cost(self._costs(s, combined))

    def _costs(self, s: float, combined: CombinedMeasure) -> Mapping[str, Cost]:
        """The members' costs in memory, where all sellers' fit there: they are used many times."""
        if not self._all_fit:
            return {member.contribution_id: member.costs[s] for member in combined.members}
        if self._at_hand[0] != s:
            self._at_hand = (s, {})
        held = self._at_hand[1]
        for member in combined.members:
            if member.contribution_id not in held:
                cost = member.costs[s]
                # Points of a line are better known as such: they are solved by sorting.
                held[member.contribution_id] = (
                    GivenCost(cost.block(0, member.size)) if cost.line() is None else cost
                )
        return held

    def _each_sellers(self, row_scores: Scores) -> Iterator[tuple[str, Scores]]:
        start = 0
        for contribution_id, seller in self._sellers.items():
            own = slice(start, start + seller.size)
            yield (
                contribution_id,
                Scores(row_scores.values[own], row_scores.spread[own], row_scores.method),
            )
            start += seller.size


def _checked_sweep(sellers: Sequence[SellerCosts], sweep: Sequence[float]) -> tuple[float, ...]:
    values = tuple(sorted(set(sweep)))
    if len(values) < 3 or not all(0 < s < 1 for s in values):
        raise TransportError(
            f"a sweep needs at least three distinct values of s in (0, 1), got {list(sweep)}"
        )
    ids = [seller.contribution_id for seller in sellers]
    if not ids or len(set(ids)) < len(ids):
        raise TransportError(f"an evaluation needs at least one seller, each once, got {ids}")
    for seller in sellers:
        missing = [s for s in values if s not in seller.costs]
        if missing:
            raise TransportError(f"seller {seller.contribution_id} has no costs for s = {missing}")
    return values


def _shares(
    sizes: Mapping[str, int], seller_weights: Mapping[str, float] | None = None
) -> dict[str, float]:
    if seller_weights is None:
        total = sum(sizes.values())
        return {seller: size / total for seller, size in sizes.items()}
    if seller_weights.keys() != sizes.keys():
        raise TransportError(
            "seller weights must name every seller of the evaluation and nobody else, got "
            f"{sorted(seller_weights)}"
        )
    shares = {seller: float(seller_weights[seller]) for seller in sizes}
    whole = math.fsum(shares.values())
    if not all(share > 0 for share in shares.values()) or abs(whole - 1) > MASS_TOLERANCE:
        raise TransportError(f"seller weights must be positive and sum to 1, got {seller_weights}")
    return {seller: share / whole for seller, share in shares.items()}
