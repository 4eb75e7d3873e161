"""`wassay limit`: set the profile's limit on disclosures."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.disclosure_class import DisclosureClass


@explained()
def limit(
    max_disclosure: Annotated[
        DisclosureClass | None,
        typer.Argument(help="The new limit; leave it out to print the current one."),
    ] = None,
) -> None:
    """Set the most that any receiver may learn about your points, and print it.

    The limit applies to each receiver separately, in every request and contribution of your
    account.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.client.shared.disclosure_check import DEFAULT_LIMIT
    from wassay.client.shared.identity import Identity

    profile = wassay.Profile()
    with wassay.Client() as client:
        account_id = Identity(client, profile).account_id()
    if max_disclosure is not None:
        profile.limit_disclosure(account_id, max_disclosure)
    typer.echo((profile.max_disclosure(account_id) or DEFAULT_LIMIT).value)
