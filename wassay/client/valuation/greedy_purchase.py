"""Choose greedily which contributions to buy. The service solves the needed coalitions."""

from collections.abc import Mapping
from dataclasses import replace

from wassay.client.connection.flows import Flow
from wassay.client.shared.arguments import as_amount, as_prices
from wassay.client.valuation.coalition_solver import CoalitionSolver
from wassay.client.valuation.purchase_table import Purchases
from wassay.errors import InvalidArgumentError
from wassay.transport import Estimate, Purchase
from wassay.transport.market.purchases import PurchaseSteps, purchase_steps


def buy_within_budget(
    solver: CoalitionSolver, prices: Mapping[str, float], budget: float
) -> Flow[Purchases]:
    """Spend a budget greedily; ask the service to solve the coalitions that each step compares.

    See `Evaluation.buy`.
    """
    prices, budget = as_prices(prices), as_amount(budget, "budget")
    known = yield from solver.known()
    known.require_aggregates()
    prices = by_id(prices, known.labels)
    unknown = sorted(map(str, prices.keys() - set(known.contribution_ids)))
    if unknown or not prices:
        ids = [f"{each} ({known.labels[each]})" for each in known.contribution_ids]
        raise InvalidArgumentError(
            f"expected prices of {', '.join(ids)}, received "
            f"{', '.join(unknown) or 'none'}: name contributions by their ids or "
            "labels, and leave out those that were not evaluated"
        )
    buying: PurchaseSteps[Estimate] = purchase_steps(prices, budget)
    coalitions = next(buying)
    while True:
        yield from solver.solve(coalitions)
        try:
            coalitions = buying.send({coalition: known(coalition) for coalition in coalitions})
        except StopIteration as ended:
            bought: tuple[Purchase[Estimate], ...] = ended.value
            labels = known.labels
            return Purchases(replace(each, label=labels[each.contribution_id]) for each in bought)


def by_id(prices: Mapping[str, float], labels: Mapping[str, str]) -> dict[str, float]:
    """Return prices by contribution id, given prices by id or by label.

    Names that belong to no contribution are kept.

    Raises
    ------
    InvalidArgumentError
        If a label belongs to several contributions, or a contribution has two prices.
    """
    found: dict[str, float] = {}
    for name, price in prices.items():
        named = [name] if name in labels else [each for each in labels if labels[each] == name]
        if len(named) > 1:
            raise InvalidArgumentError(
                f"expected prices of single sellers, received a price of {name!r}, which names "
                f"{', '.join(named)}: use these ids"
            )
        contribution = named[0] if named else name
        if contribution in found:
            raise InvalidArgumentError(
                f"expected one price for {contribution}, received a second as {name!r}: remove one"
            )
        found[contribution] = price
    return found
