"""Mode `measure`: the seller uploads η_ν(s), and the service computes the costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...arrays.entry_validation import POINTS
from .array_mode import ArrayMode, SellerArrays

if TYPE_CHECKING:
    from wassay.models import Order
    from wassay.transport import Measure, SellerCosts
    from wassay.transport.anomalies import SweptContribution

    from ...requests.models import Request


class MeasureMode(ArrayMode):
    """Pushed points, one per row."""

    name = "measure"
    path = "measures"
    description = (
        "Upload the seller's measure η_ν(s) at one s of the sweep. If the request is labelled, the "
        "last coordinate is the class number; that of the smallest s counts."
    )
    disclosure_kind = "measure"
    contents = POINTS
    columns_are = "the reference's dimensions and, if the request is labelled, the class number"

    def columns(self, request: Request) -> int:
        """Return the dimension of the reference; one more for the class of labelled points."""
        return request.reference.dimension + request.labelled

    def costs(self, arrays: SellerArrays, buyer: Measure, order: Order) -> SellerCosts:
        """Compute the costs ‖x − y‖^p to the buyer's points."""
        from wassay.transport import SellerCosts

        return SellerCosts.from_measures(arrays.contribution_id, arrays.measures(), buyer, order)

    def examined(self, arrays: SellerArrays) -> SweptContribution:
        """Return the measures and the stated spread of the projection."""
        from wassay.transport.anomalies import SweptMeasures

        return SweptMeasures(arrays.contribution_id, arrays.measures(), arrays.projection_spread)


MODE = MeasureMode()
