"""`wassay shapley`, `buy`: value sellers, and select whom to buy from."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.seller_names import labels_of, prices_of
from wassay.table import fixed, table

ENDED = {
    "every-coalition": "Every coalition was solved: the values are exact.",
    "standard-error": "{permutations} permutations sampled: standard errors are as small as "
    "requested.",
    "permutations": "{permutations} permutations sampled, the most allowed: standard errors are "
    "larger than requested.",
    "time": "{permutations} permutations sampled before time ran out: standard errors are larger "
    "than requested.",
}


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
            help="The most permutations to sample, an even number. Up to ten contributions need "
            "none.",
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
    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        found = evaluated.shapley(
            standard_error=standard_error,
            max_permutations=max_permutations,
            seconds=seconds,
            progress=True,
        )
        sellers = evaluated.result().document.sellers
    labels = labels_of(sellers)
    scores = found.relative_scores
    rows = [
        (
            labels[name],
            name,
            fixed(found.values[name]),
            f"± {fixed(found.standard_errors[name])}",
            f"{scores[name]:.2f}",
        )
        for name in found.largest_first
    ]
    typer.echo(table(("seller", "contribution", "adds", "standard error", "relative score"), rows))
    typer.echo(ENDED[found.ended_by].format(permutations=found.permutations))
    if not all(seller.verified for seller in sellers):
        typer.echo("Unverified: the seller contributed scalars, which nobody can check.")


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
    from wassay.client.evaluation.estimates import format_interval

    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        sellers = evaluated.result().document.sellers
        bought = evaluated.buy(prices_of(sellers, price), budget, progress=True)
    labels = labels_of(sellers)
    # Scalars give no distance of several sellers together: such a purchase is of one alone.
    verified = {seller.contribution_id: seller.verified for seller in sellers}
    rows = [
        (
            labels[each.contribution_id],
            each.contribution_id,
            f"{each.spent:g}",
            fixed(each.distance.value),
            format_interval(each.distance, verified=verified[each.contribution_id]),
        )
        for each in bought
    ]
    if not rows:
        typer.echo(f"No seller has a price within {budget:g}.", err=True)
        return
    columns = ("seller", "contribution", "total spent", "total distance", "certified interval")
    typer.echo(table(columns, rows))
