"""`wassay publish`: publish a listing of the caller's table."""

from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.control_characters import escape_line


@explained()
def publish(
    file: Annotated[Path, typer.Argument(help="Your rows: a table, such as a .csv or a .parquet.")],
    title: Annotated[str, typer.Option(help="The title that buyers read.")],
    description: Annotated[str, typer.Option(help="Details for buyers.")] = "",
    licence: Annotated[str | None, typer.Option(help="The licence, such as CC-BY-4.0.")] = None,
    unit: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=UNIT", help="The unit of a column. Repeatable."),
    ] = None,
) -> None:
    """Publish a listing that describes your table: its columns, their types, and how many rows.

    No value leaves this machine. Prints the listing's id.
    """
    # Imported here, because other commands do not need it.
    from wassay.files import read_table
    from wassay.listings import data_dictionary

    units = dict(_unit(each) for each in unit or ())
    frame = read_table(file)
    try:
        public = wassay.Recipe.fit(frame, units=units).public
    except wassay.RecipeError as error:
        raise wassay.WassayError(f"{file}: {error}") from error
    with wassay.Client() as client:
        listing = client.listings.create(
            title=title,
            description=description,
            dimension=public.dimension,
            points=len(frame),
            fields=data_dictionary(public),
            licence=licence,
        )
    typer.echo(escape_line(listing.id))


def _unit(text: str) -> tuple[str, str]:
    column, _, unit = text.rpartition("=")
    if not (column and unit):
        raise wassay.WassayError(f"expected COLUMN=UNIT, such as income=EUR; received {text!r}")
    return column, unit
