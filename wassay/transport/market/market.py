"""Solve and score the subproblems of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, groupby, pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.errors import TransportError
from wassay.transport.market.combined_measure import CombinedMeasure
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.market.shares import shares_of
from wassay.transport.market.subproblems import (
    GRAND_COALITION,
    Coalition,
    PartyScores,
    SolvedSubproblem,
    Subproblem,
)
from wassay.transport.measure import as_weights
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.solvers.memory_budget import default_memory_budget
from wassay.transport.solvers.solution import Solution
from wassay.transport.sweeps.sweep_solver import SweepSolver


class Market:
    """A buyer and sellers, with the costs between them.

    Parameters
    ----------
    buyer_weights : array_like, shape (m,)
        Weights of the buyer's points.
    sellers : sequence of SellerCosts
        At least one, with distinct contribution ids.
    sweep : sequence of float
        At least three values of s, for which every seller has costs.
    p : {1, 2}
    seller_weights : mapping of contribution id to float, optional
        Each seller's weight w_i, positive, summing to one. By default, every point counts the same.

    Attributes
    ----------
    sweep : tuple of float
        Ascending and distinct.
    shares : dict of contribution id to float
        Each seller's weight w_i.

    Raises
    ------
    TransportError
        If sellers, sweep, weights or costs do not match.
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
        self.shares = shares_of(
            {each.contribution_id: each.size for each in sellers}, seller_weights
        )
        self._p: Power = p
        self._sellers = {seller.contribution_id: seller for seller in sellers}
        self._sizes = {name: seller.size for name, seller in self._sellers.items()}
        self._grand_coalition = CombinedMeasure(tuple(sellers), tuple(self.shares.values()))
        self._buyer = as_weights(buyer_weights, sellers[0].costs[self.sweep[0]].shape[1])
        entries = len(self._grand_coalition.weights) * len(self._buyer)
        self._fits_memory = entries * np.float64().itemsize <= default_memory_budget()
        self._sweep_solver: SweepSolver[Coalition] = SweepSolver(p)
        self._held: _HeldCosts | None = None

    def solve(
        self, subproblems: Iterable[Subproblem], progress: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[SolvedSubproblem, PartyScores | None]]:
        """Solve subproblems in ascending order of s; score the points of the grand coalition.

        Parameters
        ----------
        subproblems : iterable of Subproblem
        progress : callable
            Called about four times a second; an exception it raises ends the solve.

        Yields
        ------
        SolvedSubproblem
        PartyScores or None
            None except for the grand coalition.

        Raises
        ------
        TransportError
            If costs are not finite or have the wrong shape.
        NotCertified
            If a solution cannot be proven optimal.

        Notes
        -----
        Coalitions with more than half of the sellers' points are large. Large coalitions that
        follow each other at the same s are solved as a batch, in a fraction of the time.
        """
        ascending = sorted(subproblems, key=lambda subproblem: subproblem.s)
        for s, at_s in groupby(ascending, key=lambda subproblem: subproblem.s):
            for large, run in groupby(at_s, key=self._is_large):
                coalitions = [subproblem.coalition for subproblem in run]
                solutions = self._solve_batch if large else self._solve_in_turn
                for coalition, solution in zip(
                    coalitions, solutions(coalitions, s, progress), strict=True
                ):
                    yield self._solved(Subproblem(coalition, s), solution)

    def _is_large(self, subproblem: Subproblem) -> bool:
        return 2 * subproblem.coalition.size(self._sizes) > sum(self._sizes.values())

    def _solve_in_turn(
        self, coalitions: Sequence[Coalition], s: float, progress: Callable[[], None]
    ) -> Iterator[Solution]:
        for coalition in coalitions:
            combined = self._coalition(coalition)
            weights = combined.weights, self._buyer
            cost_at = partial(self._cost, combined, s)
            yield from self._sweep_solver.solve([coalition], s, cost_at, [weights], progress)

    def _solve_batch(
        self, coalitions: Sequence[Coalition], s: float, progress: Callable[[], None]
    ) -> Iterator[Solution]:
        present = [self._present(coalition) for coalition in coalitions]
        weights = []
        for coalition, rows in zip(coalitions, present, strict=True):
            own = np.zeros(len(rows))
            own[rows] = self._coalition(coalition).weights
            weights.append((own, self._buyer))
        cost_at = partial(self._cost, self._grand_coalition, s)
        solutions = self._sweep_solver.solve(coalitions, s, cost_at, weights, progress)
        for rows, solution in zip(present, solutions, strict=True):
            yield solution.restrict_to_rows(rows)

    def _present(self, coalition: Coalition) -> NDArray[np.bool_]:
        """Mark the rows of the grand coalition's costs that belong to a coalition."""
        members = {member.contribution_id for member in self._coalition(coalition).members}
        return np.concatenate(
            [
                np.full(each.size, each.contribution_id in members)
                for each in self._grand_coalition.members
            ]
        )

    def _solved(
        self, subproblem: Subproblem, solution: Solution
    ) -> tuple[SolvedSubproblem, PartyScores | None]:
        combined = self._coalition(subproblem.coalition)
        point = combined.point(self._p, subproblem.s, self.sweep, solution)
        solved = SolvedSubproblem(subproblem, point, combined.displacement)
        if subproblem.coalition != GRAND_COALITION:
            return solved, None
        cost_at = partial(self._cost, combined, subproblem.s)
        row_scores, buyer_scores = self._sweep_solver.scores(
            GRAND_COALITION, subproblem.s, cost_at, solution
        )
        return solved, PartyScores(buyer_scores, dict(self._split_by_seller(row_scores)))

    def _coalition(self, coalition: Coalition) -> CombinedMeasure:
        if coalition.kind == "coalition":
            return self._grand_coalition.restricted_to(set(coalition.members))
        if coalition.contribution_id is None:
            return self._grand_coalition
        if coalition.kind == "singleton":
            return CombinedMeasure((self._sellers[coalition.contribution_id],), (1.0,))
        return self._grand_coalition.leave_one_out(coalition.contribution_id)

    def _cost(self, combined: CombinedMeasure, now: float, s: float) -> Cost:
        """Return the costs of the coalition `combined` at s.

        Costs at s = `now`, the value that is being solved, are kept if they fit into memory.
        """
        if s != now or not self._fits_memory:
            return combined.cost(
                {member.contribution_id: member.costs[s] for member in combined.members}
            )
        if self._held is None or self._held.s != s:
            self._held = _HeldCosts(s, self._grand_coalition.members, len(self._buyer))
        return self._held.cost(combined)

    def _split_by_seller(self, row_scores: Scores) -> Iterator[tuple[str, Scores]]:
        start = 0
        for contribution_id, seller in self._sellers.items():
            own = slice(start, start + seller.size)
            yield (
                contribution_id,
                Scores(row_scores.values[own], row_scores.spread[own], row_scores.method),
            )
            start += seller.size


class _HeldCosts:
    """The sellers' costs at one s, in one matrix; each seller's are read when first needed."""

    def __init__(self, s: float, sellers: Sequence[SellerCosts], width: int) -> None:
        self.s = s
        self._sellers = sellers
        bounds = [0, *accumulate(seller.size for seller in sellers)]
        self._rows = {
            seller.contribution_id: slice(start, stop)
            for seller, (start, stop) in zip(sellers, pairwise(bounds), strict=True)
        }
        self._matrix = np.empty((bounds[-1], width))
        self._costs: dict[str, Cost] = {}

    def cost(self, combined: CombinedMeasure) -> Cost:
        """Return a coalition's costs without copying."""
        costs = [self._of(member) for member in combined.members]
        if len(costs) == len(self._sellers) and all(isinstance(cost, GivenCost) for cost in costs):
            return GivenCost(self._matrix)
        return combined.cost(self._costs)

    def _of(self, seller: SellerCosts) -> Cost:
        name = seller.contribution_id
        if name not in self._costs:
            cost = seller.costs[self.s]
            # Keep points on a line as points: the solver sorts them instead of reading their costs.
            if cost.line() is None:
                rows = self._rows[name]
                self._matrix[rows] = cost.block(0, seller.size)
                cost = GivenCost(self._matrix[rows])
            self._costs[name] = cost
        return self._costs[name]


def _checked_sweep(sellers: Sequence[SellerCosts], sweep: Sequence[float]) -> tuple[float, ...]:
    values = tuple(sorted(set(sweep)))
    if len(values) < 3 or not all(0 < s < 1 for s in values):
        raise TransportError(
            f"expected at least three distinct values of s in (0, 1), received {list(sweep)}"
        )
    ids = [seller.contribution_id for seller in sellers]
    if not ids or len(set(ids)) < len(ids):
        raise TransportError(f"expected at least one seller, each once, received {ids}")
    for seller in sellers:
        missing = [s for s in values if s not in seller.costs]
        if missing:
            raise TransportError(
                f"contribution {seller.contribution_id}: expected costs at every s of the sweep, "
                f"received none for s = {missing}"
            )
    return values
