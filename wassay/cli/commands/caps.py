"""`wassay caps`: limit what each organisation may learn about the caller's datasets."""

from typing import Annotated, Any

import typer

import wassay
from wassay.cli.errors import explained
from wassay.models import Caps
from wassay.table import table

NO_CAP = "any"


def _number(text: str) -> float | str:
    if text == NO_CAP:
        return text
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"expected a number or {NO_CAP}; received {text!r}") from None


def _count(text: str) -> int | str:
    if text == NO_CAP:
        return text
    if not text.isdecimal():
        raise typer.BadParameter(f"expected a whole number or {NO_CAP}; received {text!r}")
    return int(text)


def _cap(what: str, parser: Any = _count) -> Any:
    metavar = "INTEGER|any" if parser is _count else "FLOAT|any"
    return typer.Option(parser=parser, metavar=metavar, help=what)


@explained()
def caps(
    questions: Annotated[
        str | None,
        _cap(
            "The most distances: one for each s of each coalition or pair with your data; any for "
            "no limit."
        ),
    ] = None,
    evaluations: Annotated[
        str | None, _cap("The most evaluations of your data; any for no limit.")
    ] = None,
    buyer_points: Annotated[
        str | None, _cap("The least number of distinct points of a buyer; any for no limit.")
    ] = None,
    uniform_weights: Annotated[
        bool | None, typer.Option(help="Whether all of a buyer's points must have the same weight.")
    ] = None,
    distinct_measures: Annotated[
        bool | None,
        typer.Option(help="Whether to reject a buyer's points that nearly equal earlier ones."),
    ] = None,
    epsilon: Annotated[
        str | None,
        _cap(
            "Allow only evaluations with noise, and at most this sum of their ε; any to allow "
            "evaluations without noise.",
            _number,
        ),
    ] = None,
) -> None:
    """Limit what each organisation may learn about your datasets in further evaluations.

    Changes the caps that you name, and prints all caps. Listings that have caps of their own are
    not affected.
    """
    named: dict[str, Any] = {
        "questions": questions,
        "evaluations": evaluations,
        "buyer_points": buyer_points,
        "uniform_weights": uniform_weights,
        "distinct_measures": distinct_measures,
        "epsilon": epsilon,
    }
    changes = {
        name: None if value == NO_CAP else value
        for name, value in named.items()
        if value is not None
    }
    with wassay.Client() as client:
        account_id = client.accounts.me().id
        current = client.accounts.caps(account_id)
        if changes:
            # Skip validation here, because the service validates the values.
            new = Caps.model_construct(**{**dict(current), **changes})
            current = client.accounts.set_caps(account_id, new)
    typer.echo(table(["cap", "of each organisation"], list(map(_row, dict(current).items()))))


def _row(cap: tuple[str, Any]) -> list[str]:
    name, value = cap
    if isinstance(value, bool):
        return [name, "yes" if value else "no"]
    return [name, NO_CAP if value is None else str(value)]
