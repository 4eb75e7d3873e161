"""Options with which a seller matches a table to the recipe of a request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

Rename = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MINE=THEIRS", help="Your column MINE is the recipe's column THEIRS. Repeatable."
    ),
]
Factor = Annotated[
    list[str] | None,
    typer.Option(
        metavar="THEIRS=NUMBER",
        help="Multiply the recipe's column THEIRS by NUMBER to get the buyer's unit. Repeatable.",
    ),
]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND:COLUMN",
        help="Answer in spite of this difference from the recipe, which `wassay check` names. "
        "Repeatable.",
    ),
]


def renamed(pairs: Iterable[str] | None) -> dict[str, str]:
    """Parse `--rename MINE=THEIRS`; return a mapping from the seller's columns to the recipe's."""
    return dict(_split(pair, "--rename") for pair in pairs or ())


def multiplied(pairs: Iterable[str] | None) -> dict[str, float]:
    """Parse `--factor THEIRS=NUMBER`; return the factors by the recipe's names of columns."""
    factors = {}
    for pair in pairs or ():
        name, number = _split(pair, "--factor")
        try:
            factors[name] = float(number)
        except ValueError:
            raise typer.BadParameter(
                f"expected THEIRS=NUMBER, such as {_right_way_round(name, number)}, received "
                f"{pair!r}",
                param_hint="--factor",
            ) from None
    return factors


def _right_way_round(name: str, number: str) -> str:
    """Return an example of NAME=NUMBER; if `name` is a number, turn the pair round."""
    try:
        float(name)
    except ValueError:
        return f"{name}=1000"
    return f"{number}={name}"


def _split(pair: str, option: str) -> tuple[str, str]:
    name, equals, value = pair.rpartition("=")
    if not (name and equals and value):
        raise typer.BadParameter(f"expected NAME=VALUE, received {pair!r}", param_hint=option)
    return name, value
