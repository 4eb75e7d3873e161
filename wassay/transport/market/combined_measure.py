"""Several sellers taken as one measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.rounding import Extent
from wassay.transport.costs.stacked_cost import StackedCost
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.solvers.solution import Solution
from wassay.transport.sweeps.sweep import SolvedPoint, solved_point


@dataclass(frozen=True, eq=False)
class CombinedMeasure:
    """Several sellers taken as one measure, Σ w_i ν_i.

    Attributes
    ----------
    members : tuple of SellerCosts
    shares : tuple of float
        w_i, positive, summing to one.
    """

    members: tuple[SellerCosts, ...]
    shares: tuple[float, ...]

    @property
    def weights(self) -> NDArray[np.float64]:
        """Of all points, the members' one after the other, summing to one.

        Members' weights do so within a tolerance, which must not add up with that of shares.
        """
        joint = np.concatenate([share * member.weights for member, share in self._pairs()])
        weights: NDArray[np.float64] = joint / joint.sum()
        return weights

    def without(self, contribution_id: str) -> CombinedMeasure:
        """The others, their shares rescaled to sum to one."""
        return self.only({member.contribution_id for member in self.members} - {contribution_id})

    def only(self, contribution_ids: Set[str]) -> CombinedMeasure:
        """Some of the members, their shares rescaled to sum to one."""
        chosen = [pair for pair in self._pairs() if pair[0].contribution_id in contribution_ids]
        total = sum(share for _, share in chosen)
        return CombinedMeasure(
            tuple(member for member, _ in chosen), tuple(share / total for _, share in chosen)
        )

    def cost(self, costs: Mapping[str, Cost]) -> Cost:
        """The members' costs at one s, stacked."""
        return StackedCost([costs[member.contribution_id] for member in self.members])

    def point(self, p: Power, s: float, sweep: Sequence[float], solution: Solution) -> SolvedPoint:
        """Keep of a solution at one s what this coalition's curve over the sweep needs."""
        return solved_point(
            p,
            s,
            {each: StackedCost([member.costs[each] for member in self.members]) for each in sweep},
            solution,
            mean_shift=self._mean_shift(s),
            extent=self.extent,
        )

    @property
    def extent(self) -> Extent:
        """Of the buyer's measure, as far as a member knows it."""
        return max((member.extent for member in self.members), key=lambda each: each.norm)

    def _mean_shift(self, s: float) -> float | None:
        offsets = [m.mean_offsets[s] for m in self.members if m.mean_offsets is not None]
        if len(offsets) < len(self.members):
            return None
        return float(np.square(np.dot(self.shares, offsets)).sum())

    @property
    def displacement(self) -> float | None:
        """Σ w_i of the members' displacements; unknown where one is."""
        total = 0.0
        for member, share in self._pairs():
            if member.displacement is None:
                return None
            total += share * member.displacement
        return total

    def _pairs(self) -> list[tuple[SellerCosts, float]]:
        return list(zip(self.members, self.shares, strict=True))
