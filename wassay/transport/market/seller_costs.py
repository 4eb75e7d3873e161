"""One contribution to a sweep, as costs against the buyer's measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.costs.rounding import NO_EXTENT, Extent
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure, as_weights

STRAIGHT = 1e-9
"""Points count as moving on a line in s if they are off the line by at most this share of their
extent."""


@dataclass(frozen=True, eq=False)
class SellerCosts:
    """A seller's contribution to a sweep, as costs that can be solved.

    Attributes
    ----------
    contribution_id : str
    weights : ndarray, shape (n_i,)
        Weights of the seller's points, which sum to one.
    costs : mapping of s to Cost
        The costs C_i(s) against the buyer's measure, shape (n_i, m).
    mean_offsets : mapping of s to ndarray, shape (d,), or None
        The seller's mean minus the buyer's, mean η_νi(s) − mean η_μ(t0). None if only costs are
        known.
    displacement : float or None
        Weighted mean distance between the seller's points and their images in the reference, used
        for p = 1. None if it is unknown, or if the points do not move on straight lines in s.
    extent : Extent
        Size of the buyer's coordinates; rounding errors are proportional to it.
    """

    contribution_id: str
    weights: NDArray[np.float64]
    costs: Mapping[float, Cost]
    mean_offsets: Mapping[float, NDArray[np.float64]] | None = None
    displacement: float | None = None
    extent: Extent = NO_EXTENT

    @classmethod
    def from_measures(
        cls, contribution_id: str, measures: Mapping[float, Measure], buyer: Measure, p: Power = 2
    ) -> SellerCosts:
        """Compute the costs between a seller's and the buyer's pushed measures.

        Parameters
        ----------
        contribution_id : str
        measures : mapping of s to Measure
            The seller's pushed measures η_νi(s), with rows in the same order at every s.
        buyer : Measure
            The buyer's pushed measure η_μ(t0).
        p : {1, 2}

        Returns
        -------
        SellerCosts

        Raises
        ------
        TransportError
            If there is no measure, the measures differ in weights, or their dimension is not the
            buyer's.
        """
        weights = _common_weights(contribution_id, measures)
        return cls(
            contribution_id,
            weights,
            {s: PointCost(measure, buyer, p) for s, measure in measures.items()},
            {s: measure.mean - buyer.mean for s, measure in measures.items()},
            _displacement(measures),
            Extent.of(buyer),
        )

    @classmethod
    def from_blocks(
        cls,
        contribution_id: str,
        blocks: Mapping[float, ArrayLike],
        weights: ArrayLike | None = None,
        buyer: Measure | None = None,
    ) -> SellerCosts:
        """Take the costs from a seller's cost blocks.

        Parameters
        ----------
        contribution_id : str
        blocks : mapping of s to array_like, shape (n_i, m)
            The costs C_i(s), with rows in the same order at every s.
        weights : array_like, shape (n_i,), optional
            Weights of the seller's points; equal by default.
        buyer : Measure, optional
            The buyer's pushed measure η_μ(t0). Its coordinates enter the bound on the costs'
            rounding error; without it, the bound follows from the distances alone.

        Returns
        -------
        SellerCosts

        Raises
        ------
        TransportError
            If there is no block, or the blocks differ in shape or do not match the weights.
        """
        costs: dict[float, Cost] = {s: GivenCost(block) for s, block in blocks.items()}
        shapes = {cost.shape for cost in costs.values()}
        if len(shapes) != 1:
            raise TransportError(
                f"contribution {contribution_id}: expected one shape for all s, received cost "
                f"blocks of shapes {sorted(shapes)}"
            )
        size = shapes.pop()[0]
        checked = np.full(size, 1 / size) if weights is None else as_weights(weights, size)
        extent = NO_EXTENT if buyer is None else Extent.of(buyer)
        return cls(contribution_id, checked, costs, extent=extent)

    @property
    def size(self) -> int:
        """Number of points, n_i."""
        return len(self.weights)


def _common_weights(contribution_id: str, measures: Mapping[float, Measure]) -> NDArray[np.float64]:
    if not measures:
        raise TransportError(
            f"contribution {contribution_id}: expected a measure for every s, received none"
        )
    first, *rest = measures.values()
    if any(not np.array_equal(measure.weights, first.weights) for measure in rest):
        raise TransportError(
            f"contribution {contribution_id}: expected the same weights at every s, received "
            "different ones: interpolate one measure, and leave its rows in one order"
        )
    return first.weights


def _displacement(measures: Mapping[float, Measure]) -> float | None:
    """Compute `SellerCosts.displacement` from the points at two values of s."""
    sweep = sorted(measures)
    low, high = sweep[0], sweep[-1]
    if low == high:
        return None
    start, end = measures[low].points, measures[high].points
    extent = max(float(np.abs(start).max()), float(np.abs(end).max()))
    for s in sweep[1:-1]:
        share = (s - low) / (high - low)
        off_line = measures[s].points - (1 - share) * start - share * end
        if float(np.abs(off_line).max()) > STRAIGHT * extent:
            return None
    velocity = np.linalg.norm(end - start, axis=1) / (high - low)
    return float(measures[low].weights @ velocity)
