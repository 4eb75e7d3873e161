"""`wassay value`: value sellers or points by any valuation method."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId, RequestFile
from wassay.cli.printed_values import echo
from wassay.table import table


@explained()
def value(
    request_file: RequestFile,
    evaluation: EvaluationId,
    method: Annotated[
        str | None, typer.Argument(help="The method's name; leave it out to list the methods.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An option of the method, with the value in JSON. Repeatable.",
        ),
    ] = None,
) -> None:
    """Print values of sellers or points, by any valuation method."""
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.client.valuation.methods.registry import VALUATIONS, method_of

    if method is None:
        methods = [(each.name, each.summary) for each in VALUATIONS.values()]
        typer.echo(table(("method", "values"), methods))
        return
    chosen = method_of(method)
    options = dict(map(_option, option or ()))
    with wassay.Client() as client:
        evaluated = wassay.Buyer(client).load(request_file).evaluation(evaluation)
        found = evaluated.value(method, **options)
        sellers = evaluated.result().document.sellers
    echo(chosen.printed(found, sellers))


def _option(text: str) -> tuple[str, Any]:
    name, separator, content = text.partition("=")
    if not (name and separator):
        raise wassay.WassayError(f"expected an option as NAME=VALUE, received {text!r}")
    try:
        return name.replace("-", "_"), json.loads(content)
    except ValueError:
        return name.replace("-", "_"), content
