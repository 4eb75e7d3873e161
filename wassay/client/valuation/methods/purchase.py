"""Method `buy`: buy contributions greedily within a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wassay.client.evaluation.estimates import COMPUTED_TO_WITHIN, format_interval
from wassay.client.valuation.greedy_purchase import buy_within_budget
from wassay.client.valuation.methods.method import Printed, ValuationMethod, labels_of
from wassay.client.valuation.purchase_table import Purchases
from wassay.table import fixed, table

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow
    from wassay.client.valuation.valuation import Valuation
    from wassay.models import SellerResult


class PurchaseMethod(ValuationMethod[Purchases]):
    """The method `buy`: in each step, buy the contribution that reduces the distance most."""

    name = "buy"
    summary = "Sellers to buy from within a budget, chosen greedily by what each adds."

    def value(
        self,
        evaluation: Valuation[Any],
        prices: Mapping[str, float],
        budget: float,
        *,
        progress: bool = False,
    ) -> Flow[Purchases]:
        """Spend the budget; see `Evaluation.buy`."""
        solver = evaluation.coalition_solver(progress=progress)
        return buy_within_budget(solver, prices, budget)

    def printed(
        self,
        found: Purchases,
        sellers: Sequence[SellerResult],
        *,
        budget: float | None = None,
        prices: Mapping[str, float] | None = None,
    ) -> Printed:
        """Return a table of purchases, or a note that no seller has a price within the budget.

        With `budget` and `prices` (by contribution id), a note says why buying ended.
        """
        if not found:
            limit = "the budget" if budget is None else f"{budget:g}"
            return Printed((), (f"No seller has a price within {limit}.",))
        labels = labels_of(sellers)
        # If a contribution is unverified, it is the only purchase, because contributions in mode
        # scalar have no joint distances.
        verified = {seller.contribution_id: seller.verified for seller in sellers}
        rows = [
            (
                labels[each.contribution_id],
                each.contribution_id,
                f"{each.spent:g}",
                fixed(each.distance.value),
                format_interval(each.distance, verified=verified[each.contribution_id]),
            )
            for each in found
        ]
        columns = ("seller", "contribution", "total spent", "total distance")
        notes = () if budget is None or prices is None else (_reason_to_end(found, budget, prices),)
        return Printed((table((*columns, COMPUTED_TO_WITHIN), rows),), notes)


def _reason_to_end(found: Purchases, budget: float, prices: Mapping[str, float]) -> str:
    others = prices.keys() - {each.contribution_id for each in found}
    spent = found[-1].spent
    if not others:
        return "All sellers with a price are bought."
    if all(spent + prices[each] > budget for each in others):
        return f"Every other price exceeds what is left of the budget, {budget - spent:g}."
    return (
        f"With what is left of the budget, {budget - spent:g}, no other seller provably reduces "
        "the distance."
    )
