"""Parse the prices of `--price SELLER=PRICE`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import wassay
from wassay.cli.seller_names import contribution_of

if TYPE_CHECKING:
    from wassay.models import SellerResult


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
