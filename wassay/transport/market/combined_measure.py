"""The measure of a coalition of sellers."""

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
    """The measure Σ w_i ν_i of a coalition of sellers, where ν_i is the measure of member i.

    Attributes
    ----------
    members : tuple of SellerCosts
    shares : tuple of float
        The members' weights w_i, positive, summing to one.
    """

    members: tuple[SellerCosts, ...]
    shares: tuple[float, ...]

    @property
    def weights(self) -> NDArray[np.float64]:
        """Weights of all points, member by member, summing to one."""
        # Members' weights and shares sum to one only within a tolerance.
        joint = np.concatenate([share * member.weights for member, share in self._pairs()])
        weights: NDArray[np.float64] = joint / joint.sum()
        return weights

    def leave_one_out(self, contribution_id: str) -> CombinedMeasure:
        """Return the coalition without one member, its shares rescaled to sum to one.

        Parameters
        ----------
        contribution_id : str

        Returns
        -------
        CombinedMeasure
        """
        return self.restricted_to(
            {member.contribution_id for member in self.members} - {contribution_id}
        )

    def restricted_to(self, contribution_ids: Set[str]) -> CombinedMeasure:
        """Return the coalition of the given members, its shares rescaled to sum to one.

        Parameters
        ----------
        contribution_ids : set of str

        Returns
        -------
        CombinedMeasure
        """
        chosen = [pair for pair in self._pairs() if pair[0].contribution_id in contribution_ids]
        total = sum(share for _, share in chosen)
        return CombinedMeasure(
            tuple(member for member, _ in chosen), tuple(share / total for _, share in chosen)
        )

    def cost(self, costs: Mapping[str, Cost]) -> Cost:
        """Stack the members' costs at one s.

        Parameters
        ----------
        costs : mapping of contribution id to Cost

        Returns
        -------
        Cost
            Shape (Σ n_i, m).
        """
        return StackedCost([costs[member.contribution_id] for member in self.members])

    def point(self, p: Power, s: float, sweep: Sequence[float], solution: Solution) -> SolvedPoint:
        """Reduce a solution at one s to a point of the coalition's distance curve.

        Parameters
        ----------
        p : {1, 2}
        s : float
            The s of the solution.
        sweep : sequence of float
            Every s of the curve.
        solution : Solution
            Optimal at s.

        Returns
        -------
        SolvedPoint
        """
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
        """Extent of the buyer's measure; zero if no member knows it."""
        return max((member.extent for member in self.members), key=lambda each: each.norm)

    def _mean_shift(self, s: float) -> float | None:
        offsets = [m.mean_offsets[s] for m in self.members if m.mean_offsets is not None]
        if len(offsets) < len(self.members):
            return None
        return float(np.square(np.dot(self.shares, offsets)).sum())

    @property
    def displacement(self) -> float | None:
        """Weighted mean distance between the members' points and their images, if known."""
        total = 0.0
        for member, share in self._pairs():
            if member.displacement is None:
                return None
            total += share * member.displacement
        return total

    def _pairs(self) -> list[tuple[SellerCosts, float]]:
        return list(zip(self.members, self.shares, strict=True))
