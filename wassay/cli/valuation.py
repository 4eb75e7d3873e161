"""`wassay shapley` and `buy`: value sellers, and choose sellers to buy from."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.seller_numbers import numbers_of
from wassay.cli.value import echo


@explained()
def shapley(
    request_file: RequestFile,
    evaluation: EvaluationId,
    standard_error: Annotated[
        float,
        typer.Option(
            min=0,
            help="The largest standard error to accept, divided by the range of the values.",
        ),
    ] = 0.05,
    max_permutations: Annotated[
        int,
        typer.Option(
            min=2,
            help="The most permutations to sample, an even number. With up to ten contributions, "
            "values are exact and nothing is sampled.",
        ),
    ] = 1000,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop after about this many seconds.")
    ] = None,
) -> None:
    """Print the Shapley value of each seller.

    The Shapley value is how much a seller reduces the distance at your t0, averaged over all orders
    in which sellers can be added. Reuses what an earlier call has computed.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.client.valuation.methods.registry import SHAPLEY

    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        found = evaluated.shapley(
            standard_error=standard_error,
            max_permutations=max_permutations,
            seconds=seconds,
            progress=True,
        )
        sellers = evaluated.result().document.sellers
    echo(SHAPLEY.printed(found, sellers))


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

    Chooses greedily: the next seller is the one who reduces the distance at your t0 most or, if
    several are tied, the cheapest of them. Stops when no further seller is affordable and provably
    reduces the distance. Prices and budget stay on this machine.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.client.valuation.methods.registry import BUY

    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        sellers = evaluated.result().document.sellers
        prices = numbers_of(sellers, price, "price")
        bought = evaluated.buy(prices, budget, progress=True)
    echo(BUY.printed(bought, sellers, budget=budget, prices=prices))
