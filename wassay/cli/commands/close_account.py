"""`wassay close-account`: close the caller's account."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained


@explained()
def close_account(
    account: Annotated[str, typer.Argument(help="Your account's id, to confirm the closing.")],
) -> None:
    """Close your account permanently, and erase its data from the service.

    Cancels your draft and open requests, and the unfinished evaluations of your data. Receipts and
    the ledgers of others keep digests of your data and the name of your organisation.
    """
    with wassay.Client() as client:
        client.accounts.close(account)
