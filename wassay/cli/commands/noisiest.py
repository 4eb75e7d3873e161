"""`wassay noisiest`: print which of a seller's points look like noise to the buyer."""

from collections.abc import Sequence
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import (
    RequestId,
)
from wassay.control_characters import escape_line
from wassay.table import fixed, table


@explained()
def noisiest(
    request: RequestId,
    labels: Annotated[
        bool,
        typer.Option(
            "--labels",
            help="Print which of your labels are probably wrong instead, if the request takes "
            "labels.",
        ),
    ] = False,
) -> None:
    """Print the rows of your file that look like noise to the buyer, numbered from 0.

    Reads the newest evaluation of the request that has succeeded, and prints its id to standard
    error. If the request reveals scores, --labels prints the score of every label, the worst first.
    """
    with wassay.Client() as client:
        evaluations = (
            each
            for each in client.evaluations.list(request)
            if each.state == "succeeded" and each.extends is None
        )
        evaluation = next(evaluations, None)
        if evaluation is None:
            raise wassay.WassayError(
                f"your contribution to {request} has not been evaluated yet: try again later"
            )
        typer.echo(escape_line(f"evaluation {evaluation.id}"), err=True)
        seller = wassay.Seller(client)
        rows: Sequence[int]
        if labels:
            scored = seller.label_scores(evaluation.id)
            rows = scored.worst
            if scored.values is not None:
                places = scored.highest(len(scored.values))
                scores = sorted(scored.values.tolist(), reverse=True)
                lines = [
                    (str(row), fixed(score)) for row, score in zip(places, scores, strict=True)
                ]
                typer.echo(table(("row", "score"), lines))
                return
        else:
            rows = seller.scores(evaluation.id).noisiest
    typer.echo(table(("rows",), [(", ".join(map(str, rows)),)]))
