"""`wassay rows`: which rows of one's own table the points of a contribution are."""

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
        typer.Argument(help="Numbers of points, as the buyer reads them; all if you name none."),
    ] = None,
) -> None:
    """Print which rows of your file the points are that a buyer names.

    Rows are sent in a secret order, which your profile remembers, and the buyer numbers points as
    they were sent. Rows and points are numbered from 0. Sends nothing.
    """
    with wassay.Client() as client:
        found = wassay.Seller(client).table_rows(contribution, points or None)
    numbers = points or range(len(found))
    lines = [(str(point), str(row)) for point, row in zip(numbers, found, strict=True)]
    typer.echo(table(("point", "row"), lines))
