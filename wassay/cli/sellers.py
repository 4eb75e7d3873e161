"""Sellers as people name them: by an id, or by what the tables show of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import wassay
from wassay.organisations import organisation_key

if TYPE_CHECKING:
    from wassay.models import SellerResult

ACCOUNT = "acc_"
"""What the ids of accounts begin with."""

MOST_NAMED = 20
"""Sellers that an error lists."""


def contribution_of(sellers: Sequence[SellerResult], name: str) -> str:
    """Find the contribution of a seller of an evaluation: by its id, its account's, or its label.

    Raises
    ------
    WassayError
        When nobody, or more than one, is called so.
    """
    if any(name == each.contribution_id for each in sellers):
        return name
    named = [each.contribution_id for each in sellers if name in (each.account_id, each.label)]
    if len(named) == 1:
        return named[0]
    if named:
        raise wassay.WassayError(
            f"{name!r} names {len(named)} sellers: {', '.join(named)}; give one of these ids"
        )
    there = [f"{each.label!r} ({each.contribution_id})" for each in sellers]
    more = [f"and {len(there) - MOST_NAMED} more"] if len(there) > MOST_NAMED else []
    raise wassay.WassayError(
        f"no seller is called {name!r}; there are: {', '.join([*there[:MOST_NAMED], *more])}"
    )


def prices_of(sellers: Sequence[SellerResult], texts: Sequence[str]) -> dict[str, float]:
    """Read what each contribution costs from SELLER=PRICE.

    Raises
    ------
    WassayError
        When a text says something else, or nobody or more than one is called so, or one has two
        prices.
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
                f"a price is SELLER=PRICE, such as Acme=40, and not negative; received {text!r}"
            )
        contribution = contribution_of(sellers, name)
        if contribution in prices:
            raise wassay.WassayError(f"{name!r} has two prices; give {contribution} one")
        prices[contribution] = price
    return prices


def require_accounts(client: wassay.Client, names: Sequence[str]) -> None:
    """Let only ids of accounts pass: which account is an organisation's, the service alone says.

    Who is invited gets the key of a sealed reference, so it is for a person to compare whose the
    account is.

    Raises
    ------
    WassayError
        At the first that is none; with the accounts of the organisation of that name.
    """
    for name in names:
        if name.startswith(ACCOUNT):
            continue
        key = organisation_key(name)
        listed = {
            each.account_id
            for each in client.listings.list()
            if organisation_key(each.organisation) == key
        }
        told = (
            f"the service says that {' and '.join(sorted(listed))} list data of an organisation "
            "called so: compare the fingerprint of their key with what they told you, and invite "
            "the account"
            if listed
            else "no organisation called so lists data; ask them for it"
        )
        raise wassay.WassayError(f"{name!r} is no account's id (acc_…); {told}")
