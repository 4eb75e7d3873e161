"""`wassay buy`: choose sellers to buy from within a budget."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.printed_values import echo
from wassay.cli.seller_numbers import numbers_of


@explained()
def buy(
    request_file: RequestFile,
    evaluation: EvaluationId,
    budget: Annotated[float, typer.Argument(min=0, help="The most to spend.")],
    price: Annotated[
        list[str],
        typer.Option(
            metavar="SELLER=PRICE",
            help="The price of a seller, named by label or contribution as in the tables. "
            "Repeatable. Sellers without a price are not considered.",
        ),
    ],
) -> None:
    """Print which sellers to buy from within a budget.

    Starts with the nearest affordable seller. Then adds whoever reduces the distance at your t0
    most, until no affordable seller provably reduces it. Prices and budget stay on this machine.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.client.valuation.methods.registry import BUY

    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        sellers = evaluated.result().document.sellers
        prices = numbers_of(sellers, price, "price")
        bought = evaluated.buy(prices, budget, progress=True)
    echo(BUY.printed(bought, sellers, budget=budget, prices=prices))
