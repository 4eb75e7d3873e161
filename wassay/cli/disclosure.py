"""`wassay limit`, and how much other commands may let receivers learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.disclosure_class import DisclosureClass

if TYPE_CHECKING:
    from wassay.audit import Audit

MaxDisclosure = Annotated[
    DisclosureClass | None,
    typer.Option(
        help="The most that a receiver may learn by itself: your profile's limit by default, and "
        "then up-to-isometry."
    ),
]


@explained()
def limit(
    max_disclosure: Annotated[
        DisclosureClass | None, typer.Argument(help="Leave it out to see the limit.")
    ] = None,
) -> None:
    """Limit what a receiver of your points may learn.

    It holds for each receiver alone, in all that you ask and answer. The profile keeps it, for the
    account of the API key. Prints the limit.
    """
    from wassay.client.shared.disclosure_check import (
        DEFAULT_LIMIT,
    )  # which other commands need not wait for

    with wassay.Client() as client:
        account_id = client.accounts.me().id
    profile = wassay.Profile()
    if max_disclosure is not None:
        profile.limit_disclosure(account_id, max_disclosure)
    typer.echo((profile.max_disclosure(account_id) or DEFAULT_LIMIT).value)


def shown(audit: Audit) -> None:
    """Print what receivers could compute, beside what the command itself prints."""
    typer.echo(audit, err=True)
