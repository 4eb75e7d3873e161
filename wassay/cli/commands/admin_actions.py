"""`wassay admin-actions`: list what administrators did."""

from itertools import islice
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.table import table


@explained()
def admin_actions(
    account: Annotated[
        str | None, typer.Option(help="List only what the account with this id did.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            help="List only what was done to the object with this id, such as an account or a key."
        ),
    ] = None,
    number: Annotated[int, typer.Option(min=1, help="The most rows to print.")] = 50,
) -> None:
    """List what administrators did, newest first; needs an admin's key."""
    with wassay.Client() as client:
        found = client.admin_actions.list(account_id=account, object_id=to)
        rows = [
            [
                f"{each.created_at:%Y-%m-%d %H:%M:%S}",
                each.account_id or "command line",
                each.action,
                each.object_id or "",
                each.request_id or "",
            ]
            for each in islice(found, number)
        ]
    typer.echo(table(["when (UTC)", "who", "did", "to", "request"], rows))
