"""One seller's answer to a sweep, as costs against the buyer's measure."""

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
"""How far a seller's measures may leave a straight line in s, as a share of their extent."""


@dataclass(frozen=True, eq=False)
class SellerCosts:
    """One seller's answer to a sweep, ready to be solved.

    Attributes
    ----------
    contribution_id : str
    weights : ndarray, shape (n_i,)
        Of the seller's points, summing to one.
    costs : mapping of s to Cost
        (n_i, m) costs against the buyer's measure.
    mean_offsets : mapping of s to ndarray, shape (d,), or None
        mean η_νi(s) − mean η_μ(t0); unknown where only costs are.
    displacement : float or None
        Σ b_j ‖b_ν,j − y_j‖, for p = 1 and where the measures are known.
    extent : Extent
        Of the buyer's measure, which rounding is relative to.
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
        """Mode `measure`: η_νi(s) for every s, against the buyer's η_μ(t0).

        Raises
        ------
        TransportError
            When the measures differ in size or weights, or do not live in the buyer's space.
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
        """Mode `cost-block`: C_i(s), shape (n_i, m), for every s; weights default to uniform.

        The buyer's measure, where it is known, tells how far the costs may have been rounded.

        Raises
        ------
        TransportError
            When the blocks differ in shape or the weights do not fit them.
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
    """Σ b_j ‖b_ν,j − y_j‖ from the two outer s, where all the others are on the line between."""
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
