"""`wassay listings`: find data that sellers offer."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.control_characters import escape_line
from wassay.models import FieldType, Listing

MOST_NAMED = 8
"""The most fields of a listing to name in its line."""


@explained()
def listings(
    text: Annotated[
        str | None, typer.Argument(help="Words that the listing or its fields must contain.")
    ] = None,
    field: Annotated[
        str | None, typer.Option(help="The name of a field that the listing must have.")
    ] = None,
    type_: Annotated[
        FieldType | None,
        typer.Option("--type", help="The type of that field; without --field, of any field."),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="The unit of that field; without --field, of any field.")
    ] = None,
    embedding: Annotated[
        str | None,
        typer.Option(help="The model that computed that field; without --field, any field."),
    ] = None,
    licence: Annotated[str | None, typer.Option(help="The licence, such as CC-BY-4.0.")] = None,
    min_points: Annotated[
        int | None, typer.Option(min=1, help="Show only listings with at least this many rows.")
    ] = None,
    covers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            help="A field that you need. Shows only listings with at least one of these fields, "
            "and which of them each has. Repeatable.",
        ),
    ] = None,
    request: Annotated[
        str | None,
        typer.Option(help="A request whose recipe's fields you need, instead of --covers."),
    ] = None,
) -> None:
    """Find data that sellers offer."""
    with wassay.Client() as client:
        found = client.listings.search(
            text,
            field=field,
            type=type_,
            unit=unit,
            embedding=embedding,
            licence=licence,
            min_points=min_points,
            covers=covers or () if request is None else client.requests.get(request),
        )
        for listing in found:
            typer.echo(escape_line(_line(listing)))


def _line(listing: Listing) -> str:
    about = [listing.organisation, f"rows: {listing.points}"]
    if listing.fields:
        about.append(f"fields: {', '.join(field.name for field in listing.fields[:MOST_NAMED])}")
    if len(listing.fields) > MOST_NAMED:
        about[-1] += f" and {len(listing.fields) - MOST_NAMED} more"
    if listing.licence is not None:
        about.append(listing.licence)
    line = f"{listing.id}  {listing.title}  ({'; '.join(about)})"
    if listing.coverage is None:
        return line
    missing = ", ".join(listing.coverage.missing)
    return f"{line}  {listing.coverage.share:.0%}" + (f", without {missing}" if missing else "")
