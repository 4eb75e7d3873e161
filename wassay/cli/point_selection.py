"""`wassay points`: select points to inspect or to buy."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.escaping import escape_control_characters
from wassay.table import table


@explained()
def points(
    request_file: RequestFile,
    evaluation: EvaluationId,
    noisy: Annotated[int | None, typer.Option(min=1, help="The most points to inspect.")] = None,
    valuable: Annotated[int | None, typer.Option(min=1, help="How many points to buy.")] = None,
    outliers: Annotated[
        float | None,
        typer.Option(
            help="How many standard deviations outside your distribution a point must lie, such as "
            "3.5."
        ),
    ] = None,
) -> None:
    """Print which of the sellers' points to inspect or buy.

    Selects among the points whose scores you may read: with --noisy and --outliers points to
    inspect, with --valuable points to buy.
    """
    if [noisy, valuable, outliers].count(None) != 2:
        raise wassay.WassayError("expected exactly one of --noisy, --valuable and --outliers")
    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        if noisy is not None:
            selected = evaluated.noisy(top=noisy)
        elif valuable is not None:
            selected = evaluated.valuable(budget=valuable)
        else:
            selected = evaluated.outliers(cutoff=outliers or 0.0)
    rows = [
        (
            each.label,
            each.contribution_id,
            str(each.index),
            "" if each.score is None else f"{each.score:+z.4g}",
        )
        for each in selected.points
    ]
    if rows:
        typer.echo(table(("seller", "contribution", "row", "score"), rows))
    else:
        typer.echo("No point is selected.", err=True)
    if selected.withheld:
        # A seller who shows only the noisiest points shows neither their value nor how far out
        # they lie.
        withheld = escape_control_characters(", ".join(selected.withheld))
        typer.echo(f"These sellers show no scores to select by: {withheld}.", err=True)
