"""Options by which a seller's table is fitted to the recipe of a request."""

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
        help="Multiply the recipe's column THEIRS by NUMBER to have the buyer's unit. Repeatable.",
    ),
]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND:COLUMN",
        help="A difference from the recipe to send all the same, as `wassay check` names it. "
        "Repeatable.",
    ),
]


def renamed(pairs: Iterable[str] | None) -> dict[str, str]:
    """Read the pairs of `--rename`."""
    return dict(_split(pair, "--rename") for pair in pairs or ())


def multiplied(pairs: Iterable[str] | None) -> dict[str, float]:
    """Read the pairs of `--factor`."""
    factors = {}
    for name, number in (_split(pair, "--factor") for pair in pairs or ()):
        try:
            factors[name] = float(number)
        except ValueError:
            raise typer.BadParameter(
                f"expected a number after {name}=, received {number!r}", param_hint="--factor"
            ) from None
    return factors


def _split(pair: str, option: str) -> tuple[str, str]:
    name, equals, value = pair.rpartition("=")
    if not (name and equals and value):
        raise typer.BadParameter(f"expected NAME=VALUE, received {pair!r}", param_hint=option)
    return name, value
