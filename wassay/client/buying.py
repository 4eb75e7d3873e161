"""Which contributions to buy, as far as the groups that this takes can be solved."""

from collections.abc import Mapping

from wassay.client.arguments import as_amount, as_prices
from wassay.client.errors import InvalidArgumentError
from wassay.client.flows import Flow
from wassay.client.further_groups import FurtherGroups
from wassay.transport import Estimate, Purchase
from wassay.transport.market.selection import Buying, purchases


def bought_with(
    further: FurtherGroups, prices: Mapping[str, float], budget: float
) -> Flow[tuple[Purchase[Estimate], ...]]:
    """Spend a budget, and have the groups solved that are compared on the way.

    See `Evaluation.buy`.
    """
    prices, budget = as_prices(prices), as_amount(budget, "budget")
    known = yield from further.known()
    known.require_aggregates()
    if unknown := prices.keys() - set(known.contribution_ids):
        raise InvalidArgumentError(
            "prices are those of contributions that were evaluated, came "
            f"{', '.join(sorted(map(str, unknown)))}; expected some of "
            f"{', '.join(known.contribution_ids)}"
        )
    buying: Buying[Estimate] = purchases(prices, budget)
    groups = next(buying)
    while True:
        yield from further.solve(groups)
        try:
            groups = buying.send({group: known(group) for group in groups})
        except StopIteration as ended:
            bought: tuple[Purchase[Estimate], ...] = ended.value
            return bought
