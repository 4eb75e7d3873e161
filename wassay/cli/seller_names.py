"""Find sellers by what people call them: an id, or a label of the tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import wassay

if TYPE_CHECKING:
    from wassay.models import SellerResult

MOST_NAMED = 20
"""Largest number of sellers that an error lists."""


def contribution_of(sellers: Sequence[SellerResult], name: str) -> str:
    """Find a seller's contribution by its id, its account's id, or its label.

    Raises
    ------
    WassayError
        If no seller, or more than one, has that name.
    """
    if any(name == each.contribution_id for each in sellers):
        return name
    named = [each.contribution_id for each in sellers if name in (each.account_id, each.label)]
    if len(named) == 1:
        return named[0]
    if named:
        raise wassay.WassayError(
            f"{name!r} names {len(named)} sellers: {', '.join(named)}; use one of these ids"
        )
    known = [f"{each.label!r} ({each.contribution_id})" for each in sellers]
    more = [f"and {len(known) - MOST_NAMED} more"] if len(known) > MOST_NAMED else []
    raise wassay.WassayError(
        f"no seller is called {name!r}; use one of {', '.join([*known[:MOST_NAMED], *more])}"
    )


def prices_of(sellers: Sequence[SellerResult], texts: Sequence[str]) -> dict[str, float]:
    """Parse SELLER=PRICE into the price of each contribution.

    Raises
    ------
    WassayError
        If a text has another form, or its seller is unknown, ambiguous, or priced twice.
    """
    prices: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            price = float(number)
        except ValueError:
            price = math.nan
        if not name or not price >= 0:
            raise wassay.WassayError(
                f"expected SELLER=PRICE with a price of at least 0, such as Acme=40; "
                f"received {text!r}"
            )
        contribution = contribution_of(sellers, name)
        if contribution in prices:
            raise wassay.WassayError(
                f"expected one price for {contribution}, received a second as {name!r}: remove one"
            )
        prices[contribution] = price
    return prices
