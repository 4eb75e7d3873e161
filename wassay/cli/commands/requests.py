"""`wassay requests`: list the open requests that a seller may answer."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.control_characters import escape_line
from wassay.models import FieldType


@explained()
def requests(
    text: Annotated[
        str | None, typer.Argument(help="Words that the request or its fields must contain.")
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD", help="A field that the request's recipe must read. Repeatable."
        ),
    ] = None,
    type_: Annotated[
        FieldType | None,
        typer.Option("--type", help="The type of these fields; without --field, of any field."),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="The unit of these fields; without --field, of any field.")
    ] = None,
) -> None:
    """List the open requests of buyers that you may answer."""
    with wassay.Client() as client:
        found = wassay.Seller(client).open_requests(field or (), text=text, type=type_, unit=unit)
        for request in found:
            modes = " or ".join(request.modes)
            coordinates = f"{request.dimension} coordinates"
            if request.projected_from is not None:
                coordinates = f"{request.projected_from} projected to {coordinates}"
            noise = "" if request.epsilon is None else f"; with noise, ε = {request.epsilon:g}"
            typer.echo(
                escape_line(
                    f"{request.id}  {request.title}  "
                    f"({request.organisation}; {coordinates}; {modes}{noise})"
                )
            )
