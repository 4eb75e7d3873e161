"""`wassay withdraw`: withdraw a contribution."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained


@explained()
def withdraw(
    contribution: Annotated[
        str, typer.Argument(help="The contribution's id, which `wassay answer` prints.")
    ],
) -> None:
    """Withdraw your contribution, and delete its arrays from the service.

    Once an evaluation has used the contribution, you can withdraw it only after the request has
    ended.
    """
    with wassay.Client() as client:
        client.contributions.withdraw(contribution)
