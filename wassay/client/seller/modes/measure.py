"""Mode `measure`: upload η_ν(s), the seller's pushed points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wassay.audit import SellerMeasures
from wassay.client.seller.modes.mode import SellerMode, SweptPoints
from wassay.client.shared.class_codes import with_codes

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow, Flowing, Steps
    from wassay.client.resources.contributions import Contributions
    from wassay.transport import Measure


class MeasureMode(SellerMode):
    """Mode `measure`: the seller uploads pushed points."""

    def sent(self, swept: SweptPoints) -> SellerMeasures:
        """Return the pushed measure of each s."""
        measures = {s: swept.measure(s) for s in swept.sweep}
        return SellerMeasures(measures, swept.keeps_order)

    def upload(
        self, contributions: Contributions[Flowing], draft_id: str, swept: SweptPoints, steps: Steps
    ) -> Flow[None]:
        """Upload the pushed measure of each s, with codes of the classes if labels are scored."""
        for s in swept.sweep:
            yield steps.begin(f"uploading points pushed to s = {s:g}")
            # Pass the measure on at once: a variable would keep it in memory while the next is
            # made.
            yield from contributions.upload_measure(draft_id, s, _with_classes(swept, s))


def _with_classes(swept: SweptPoints, s: float) -> Measure:
    measure = swept.measure(s)
    return measure if swept.classes is None else with_codes(measure, swept.classes)


MODE = MeasureMode()
