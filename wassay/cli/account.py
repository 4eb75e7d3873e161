"""`wassay close-account`: close one's account."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained


@explained()
def close_account(
    account: Annotated[str, typer.Argument(help="Your account's id, to confirm it.")],
) -> None:
    """Close your account permanently, and erase its data from the service.

    Cancels your requests, and the evaluations with your contributions. Receipts and others' ledgers
    keep digests, and the name of your organisation.
    """
    with wassay.Client() as client:
        client.accounts.close(account)
