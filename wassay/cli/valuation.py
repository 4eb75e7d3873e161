"""`wassay shapley`, `buy`: value sellers, and select whom to buy from."""

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
            min=0, help="The largest standard error to accept, as a share of the values' range."
        ),
    ] = 0.05,
    max_permutations: Annotated[
        int,
        typer.Option(
            min=2,
            help="The most permutations to sample, an even number. Values of up to ten "
            "contributions are exact, without sampling.",
        ),
    ] = 1000,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop after about this many seconds.")
    ] = None,
) -> None:
    """Print the Shapley value of each seller.

    It is how much the seller reduces the distance at your t0, averaged over the orders in which
    sellers can be added. Continues where an earlier call stopped.
    """
    # Imports numpy, which other commands do not need.
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
            help="A seller, by label or contribution as the tables show them, and what they ask. "
            "Repeatable; sellers without a price are not bought from.",
        ),
    ],
) -> None:
    """Print which sellers to buy from within a budget.

    Selects greedily: the next seller is the one who reduces the distance at your t0 most, the
    cheapest one if several are tied. Stops if the budget is spent or no seller provably reduces the
    distance. Prices and budget stay on this machine.
    """
    # Imports numpy, which other commands do not need.
    from wassay.client.valuation.methods.registry import BUY

    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        sellers = evaluated.result().document.sellers
        bought = evaluated.buy(numbers_of(sellers, price, "price"), budget, progress=True)
    echo(BUY.printed(bought, sellers, budget=budget))
