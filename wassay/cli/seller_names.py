"""Find sellers by the names that people use: ids, and the labels in tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import wassay

MOST_NAMED = 20
"""The largest number of sellers that an error lists."""


class NamedSeller(Protocol):
    """An object with the names of a seller: a seller of a result, or a `SubmittedSeller`."""

    @property
    def contribution_id(self) -> str:
        """The contribution's id."""

    @property
    def account_id(self) -> str:
        """The id of the seller's account."""

    @property
    def label(self) -> str:
        """The label of the seller in tables."""


class SubmittedSeller(NamedTuple):
    """The names of a seller who has submitted a contribution."""

    contribution_id: str
    account_id: str
    label: str


def contribution_of(sellers: Sequence[NamedSeller], name: str) -> str:
    """Return the id of the contribution of the seller with this name.

    `name` may be the contribution's id, the account's id, or the label in tables.

    Raises
    ------
    WassayError
        If no seller has the name, or more than one.
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
