"""Mode `cost-block`: upload C(s), the costs to the buyer's pushed points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wassay.audit import SellerCostBlocks
from wassay.client.seller.modes.mode import SellerMode, SweptPoints

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow, Flowing, Steps
    from wassay.client.resources.contributions import Contributions


class CostBlockMode(SellerMode):
    """Mode `cost-block`: the seller uploads the costs to the buyer's pushed points."""

    audits_costs = True

    def sent(self, swept: SweptPoints) -> SellerCostBlocks:
        """Return the cost block of each s."""
        costs = swept.required_costs()
        blocks = {s: costs.block(s, swept.rows) for s in swept.sweep}
        return SellerCostBlocks(blocks, costs.buyer, costs.order, costs.classes, swept.keeps_order)

    def upload(
        self, contributions: Contributions[Flowing], draft_id: str, swept: SweptPoints, steps: Steps
    ) -> Flow[None]:
        """Upload the cost block of each s; see `SellerMode.upload`."""
        costs, weights = swept.required_costs(), swept.projection.measure.weights
        for s in swept.sweep:
            yield steps.begin(f"uploading costs at s = {s:g}")
            yield from contributions.upload_cost_block(draft_id, s, costs.block(s), weights)


MODE = CostBlockMode()
