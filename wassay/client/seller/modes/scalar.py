"""Mode `scalar`: solve the transport problems of the sweep, and upload a few numbers for each s."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from wassay.audit import SellerScalars
from wassay.client.seller.modes.mode import SellerMode, SweptPoints
from wassay.models import ScalarLine, Scalars
from wassay.transport import SweepScalars

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow, Flowing, Steps
    from wassay.client.resources.contributions import Contributions
    from wassay.client.seller.computed_costs import Costs


class ScalarMode(SellerMode):
    """Mode `scalar`: the seller uploads a few numbers for each s (`wassay.models.Scalars`)."""

    def sent(self, swept: SweptPoints) -> SellerScalars:
        """Return the message for the audit to attack: only the number of points."""
        # No other uploaded number describes a single point.
        return SellerScalars(swept.projection.measure.size)

    def upload(
        self, contributions: Contributions[Flowing], draft_id: str, swept: SweptPoints, steps: Steps
    ) -> Flow[None]:
        """Solve the transport problem of each s, and upload the scalars."""
        yield steps.begin("solving the sweep", weight=len(swept.sweep))
        scalars = solve_sweep(swept.required_costs(), swept.sweep)
        yield from contributions.put_scalars(draft_id, scalars)


MODE = ScalarMode()


def solve_sweep(costs: Costs, sweep: Iterable[float]) -> Scalars:
    """Solve the transport problem of each s, and return the numbers to upload."""
    seller = costs.swept(sweep)
    found = SweepScalars.solve(seller, costs.buyer)
    return Scalars(
        points=seller.size,
        quadratic_coefficient=found.quadratic_coefficient,
        rounding=found.rounding,
        lines=[
            ScalarLine(s=s, alpha=line.alpha, beta=line.beta) for s, line in found.lines.items()
        ],
    )
