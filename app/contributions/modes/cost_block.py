"""Mode `cost-block`: the seller downloads the buyer's measure, and uploads costs for each s."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...arrays.entry_validation import COSTS
from .array_mode import ArrayMode, SellerArrays

if TYPE_CHECKING:
    from wassay.models import Order
    from wassay.transport import Measure, SellerCosts
    from wassay.transport.anomalies import SweptContribution

    from ...requests.models import BuyerMeasure, Request


class CostBlockMode(ArrayMode):
    """Costs, with a row for each of the seller's points and a column for each of the buyer's."""

    name = "cost-block"
    path = "cost-blocks"
    description = (
        "Upload the cost block C(s) between the seller's and the buyer's points at one s of the "
        "sweep."
    )
    disclosure_kind = "cost-block"
    contents = COSTS
    columns_are = "the buyer's points"

    def columns(self, request: Request) -> int:
        """Return the number of the buyer's points."""
        return _buyer(request).rows

    def projection_rank(self, request: Request) -> int:
        """Return how many coordinates of each of the seller's points the costs reveal."""
        # Costs to m points span m − 1 dimensions at most.
        return min(request.reference.dimension, _buyer(request).rows - 1)

    def costs(self, arrays: SellerArrays, buyer: Measure, order: Order) -> SellerCosts:
        """Return the uploaded costs, which the seller has computed for the request's `order`."""
        from wassay.transport import SellerCosts

        del order
        weights = next(iter(arrays.weights.values()))
        return SellerCosts.from_blocks(arrays.contribution_id, arrays.entries, weights, buyer)

    def anomaly_input(self, arrays: SellerArrays) -> SweptContribution:
        """Return the cost blocks, and whether their costs include distances between classes."""
        from wassay.transport.anomalies import SweptBlocks

        weights = next(iter(arrays.weights.values()))
        return SweptBlocks(arrays.contribution_id, arrays.entries, weights, arrays.labelled)


MODE = CostBlockMode()


def _buyer(request: Request) -> BuyerMeasure:
    return cast("BuyerMeasure", request.measure)  # an open request has a measure
