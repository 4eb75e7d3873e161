"""`wassay invite`: invite sellers to a request."""

from __future__ import annotations

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.invitations import NAMES, share_key, suppress_key_warnings
from wassay.cli.options import RequestFile


@explained()
def invite(
    request_file: RequestFile,
    sellers: Annotated[
        list[str] | None, typer.Argument(help=f"The sellers to invite: {NAMES}")
    ] = None,
) -> None:
    """Invite sellers, and send them the reference's key.

    Sends the key also to sellers whom you invited before they had an encryption key. Prints to
    standard error which sellers have none.
    """
    suppress_key_warnings()
    with wassay.Client() as client:
        request = wassay.Buyer(client).load(request_file)
        for seller in sellers or ():
            request.invite(seller)
        share_key(request, request_file)
