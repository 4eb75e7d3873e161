"""`wassay rows`: print the row of the seller's file for each point of a contribution."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.table import table


@explained()
def rows(
    contribution: Annotated[
        str, typer.Argument(help="The contribution's id, which `wassay answer` prints.")
    ],
    points: Annotated[
        list[int] | None,
        typer.Argument(
            help="The points' numbers as the buyer gives them, counted from 0; all by default."
        ),
    ] = None,
) -> None:
    """Print the row of your file for each point that you sent.

    Rows and points are numbered from 0. Without --keep-order, your rows were sent in a secret
    order, in which buyers number the points.
    """
    with wassay.Client() as client:
        found = wassay.Seller(client).table_rows(contribution, points or None)
    numbers = points or range(len(found))
    lines = [(str(point), str(row)) for point, row in zip(numbers, found, strict=True)]
    typer.echo(table(("point", "row"), lines))
