"""`wassay shapley`, `buy`, `points`, `compare`: what sellers are worth, and what to take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import wassay
from wassay.cli.buyer import Kept
from wassay.cli.errors import explained
from wassay.cli.sellers import prices_of
from wassay.escaping import escape_control_characters
from wassay.table import fixed, table

if TYPE_CHECKING:
    from wassay.models import SellerResult

EvaluationId = Annotated[
    str, typer.Argument(help="The evaluation's id, as `wassay evaluate` says it.")
]

ENDED = {
    "every-coalition": "Every coalition was solved: the values are exact.",
    "standard-error": "{permutations} permutations sampled: standard errors are as small as asked "
    "for.",
    "permutations": "{permutations} permutations were sampled, which is the most: errors are "
    "larger than asked for.",
    "time": "{permutations} permutations were sampled, then time was up: errors are larger than "
    "asked for.",
}


@explained()
def shapley(
    keep: Kept,
    evaluation: EvaluationId,
    standard_error: Annotated[
        float,
        typer.Option(min=0, help="The largest to accept, as a share of the range of the values."),
    ] = 0.05,
    max_permutations: Annotated[
        int,
        typer.Option(
            min=2, help="With more than ten contributions: most permutations to sample, even."
        ),
    ] = 1000,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="About how long it may take.")
    ] = None,
) -> None:
    """Print what each contribution adds to the others.

    These are Shapley values of the distance at your t0. Called again, it goes on from where it
    stopped.
    """
    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(keep).evaluation(evaluation)
        found = evaluated.shapley(
            standard_error=standard_error,
            max_permutations=max_permutations,
            seconds=seconds,
            progress=True,
        )
        sellers = evaluated.result().document.sellers
    labels = _labels(sellers)
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
        typer.echo("Unverified: the seller answered by scalars, which nobody can check.")


@explained()
def buy(
    keep: Kept,
    evaluation: EvaluationId,
    budget: Annotated[float, typer.Argument(min=0, help="Most that may be spent.")],
    price: Annotated[
        list[str],
        typer.Option(
            metavar="SELLER=PRICE",
            help="The seller as the tables show it, by label or contribution; give it more than "
            "once. Others are not for sale.",
        ),
    ],
) -> None:
    """Print whom to buy from, for a budget.

    Buys, one after the other, from whoever brings all bought so far nearest at your t0, as long as
    the budget lasts; of those who are not told apart, from the cheapest. Ends where nobody is
    proven to bring them nearer. Prices and budget stay on this machine.
    """
    from wassay.client.evaluation.estimates import (
        format_interval,  # which other commands need not wait for
    )

    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(keep).evaluation(evaluation)
        sellers = evaluated.result().document.sellers
        bought = evaluated.buy(prices_of(sellers, price), budget, progress=True)
    labels = _labels(sellers)
    # Of several who answered by scalars no distance follows: such a purchase is of one alone.
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
        typer.echo(f"Nobody who has a price can be paid from {budget:g}.", err=True)
        return
    columns = ("seller", "contribution", "spent in all", "distance so far", "certified interval")
    typer.echo(table(columns, rows))


@explained()
def points(
    keep: Kept,
    evaluation: EvaluationId,
    noisy: Annotated[
        int | None, typer.Option(min=1, help="At most so many points to inspect.")
    ] = None,
    valuable: Annotated[int | None, typer.Option(min=1, help="So many points to buy.")] = None,
    outliers: Annotated[
        float | None,
        typer.Option(
            help="Points that lie so many standard deviations outside your distribution; 3.5, say."
        ),
    ] = None,
) -> None:
    """Print which points to inspect, or to buy.

    These are points of all sellers whose scores are shown.
    """
    if [noisy, valuable, outliers].count(None) != 2:
        raise wassay.WassayError("ask for one of --noisy, --valuable and --outliers")
    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(keep).evaluation(evaluation)
        if noisy is not None:
            chosen = evaluated.noisy(top=noisy)
        elif valuable is not None:
            chosen = evaluated.valuable(budget=valuable)
        else:
            chosen = evaluated.outliers(cutoff=outliers or 0.0)
    rows = [
        (
            each.label,
            each.contribution_id,
            str(each.index),
            "" if each.score is None else f"{each.score:+z.4g}",
        )
        for each in chosen.points
    ]
    if rows:
        typer.echo(table(("seller", "contribution", "row", "score"), rows))
    else:
        typer.echo("No point is chosen.", err=True)
    if chosen.withheld:
        # Of some the noisiest are shown, and say nothing of value, nor of how far out a point is.
        withheld = escape_control_characters(", ".join(chosen.withheld))
        typer.echo(f"No scores to choose by are shown of {withheld}.", err=True)


@explained()
def compare(
    keep: Kept,
    evaluation: EvaluationId,
    clusters: Annotated[
        int, typer.Option(min=1, help="Into how many clusters to put the sellers.")
    ] = 2,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the dendrogram into this new file too.")
    ] = None,
) -> None:
    """Print how far sellers are from each other.

    Those who allow it; and who is like whom.
    """
    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(keep).evaluation(evaluation)
        found = evaluated.compared(progress=True)
    cluster = found.clusters(clusters)
    rows = [
        (label, *map(fixed, distances), str(cluster[name]))
        for name, label, distances in zip(
            found.contribution_ids, found.labels, found.distances, strict=True
        )
    ]
    typer.echo(table(("seller", *found.labels, "coalition"), rows))
    if plot is not None:
        found.plot(plot)


def _labels(sellers: Sequence[SellerResult]) -> dict[str, str]:
    return {seller.contribution_id: seller.label for seller in sellers}
