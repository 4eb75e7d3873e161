"""Parse options with a number for each seller, such as `--price SELLER=PRICE`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import wassay
from wassay.cli.seller_names import NamedSeller, contribution_of


def numbers_of(
    sellers: Sequence[NamedSeller], texts: Sequence[str], quantity: str
) -> dict[str, float]:
    """Parse texts of the form SELLER=NUMBER; return each seller's number, by contribution id.

    `quantity` says what the number is, for error messages.

    Raises
    ------
    WassayError
        If a text has another form, a number is negative, or a seller is unknown, ambiguous or named
        twice.
    """
    numbers: dict[str, float] = {}
    for text in texts:
        name, _, written = text.rpartition("=")
        try:
            number = float(written)
        except ValueError:
            number = math.nan
        if not name or not number >= 0:
            raise wassay.WassayError(
                f"expected SELLER={quantity.upper()} with a {quantity} of at least 0, such as "
                f"Acme=40; received {text!r}"
            )
        contribution = contribution_of(sellers, name)
        if contribution in numbers:
            raise wassay.WassayError(
                f"expected one {quantity} for {contribution}, received a second as {name!r}: "
                "remove one"
            )
        numbers[contribution] = number
    return numbers
