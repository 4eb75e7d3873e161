"""Mode `cost-block`: the seller downloads η_μ(t0), and uploads C(s), the costs to its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...arrays.contents import COSTS
from .array_mode import ArrayMode, SellerArrays

if TYPE_CHECKING:
    from wassay.models import Order
    from wassay.transport import Measure, SellerCosts
    from wassay.transport.anomalies import SweptContribution

    from ...requests.models import BuyerMeasure, Request


class CostBlockMode(ArrayMode):
    """Costs, a row for each of the seller's points and a column for each of the buyer's."""

    name = "cost-block"
    path = "cost-blocks"
    description = (
        "Upload C(s): the costs from the seller's points to the buyer's, at one s of the sweep."
    )
    disclosure_kind = "cost-block"
    contents = COSTS
    columns_are = "the buyer's points"

    def columns(self, request: Request) -> int:
        """Return how many points the buyer has."""
        return _buyer(request).rows

    def rank(self, request: Request) -> int:
        """Return one fewer than the buyer has points, or the dimension if that is less."""
        return min(request.reference.dimension, _buyer(request).rows - 1)

    def costs(self, arrays: SellerArrays, buyer: Measure, order: Order) -> SellerCosts:
        """Take the costs as they are; they are of the request's order."""
        from wassay.transport import SellerCosts

        del order
        weights = next(iter(arrays.weights.values()))
        return SellerCosts.from_blocks(arrays.contribution_id, arrays.entries, weights, buyer)

    def examined(self, arrays: SellerArrays) -> SweptContribution:
        """Return the blocks; costs of labelled points hold distances of classes too."""
        from wassay.transport.anomalies import SweptBlocks

        weights = next(iter(arrays.weights.values()))
        return SweptBlocks(arrays.contribution_id, arrays.entries, weights, arrays.labelled)


def _buyer(request: Request) -> BuyerMeasure:
    return cast("BuyerMeasure", request.measure)  # it is open, so it has a measure
