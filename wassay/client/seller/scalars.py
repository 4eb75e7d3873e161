"""Mode `scalar`: the seller's machine solves the sweep, and a few numbers for each s leave it."""

from collections.abc import Iterable

from wassay.client.seller.costs import Costs
from wassay.models import ScalarLine, Scalars
from wassay.transport import SweepScalars


def solved_here(costs: Costs, sweep: Iterable[float]) -> Scalars:
    """Solve the sweep, and say what it comes to."""
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
