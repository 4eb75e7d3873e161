"""Mode `measure`: the seller uploads pushed points for each s; the service computes the costs."""

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
    """The seller's pushed points, one per row."""

    name = "measure"
    path = "measures"
    description = (
        "Upload the seller's measure η_ν(s) at one s of the sweep. If the request is labelled, "
        "the last coordinate is the class number, which is read from the array of the smallest s."
    )
    disclosure_kind = "measure"
    contents = POINTS
    columns_are = (
        "one per dimension of the reference and, if the request is labelled, one for the class "
        "number"
    )

    def columns(self, request: Request) -> int:
        """Return the reference's dimension, plus one for the class number of labelled points."""
        return request.reference.dimension + request.labelled

    def costs(self, arrays: SellerArrays, buyer: Measure, order: Order) -> SellerCosts:
        """Compute the costs ‖x − y‖^p of the seller's points to the buyer's."""
        from wassay.transport import SellerCosts

        return SellerCosts.from_measures(arrays.contribution_id, arrays.measures(), buyer, order)

    def anomaly_input(self, arrays: SellerArrays) -> SweptContribution:
        """Return the measures at every s, and the projection spread that the seller stated."""
        from wassay.transport.anomalies import SweptMeasures

        return SweptMeasures(arrays.contribution_id, arrays.measures(), arrays.projection_spread)


MODE = MeasureMode()
