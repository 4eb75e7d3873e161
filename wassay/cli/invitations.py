"""Invite sellers to a request, and send them the reference's key."""

import warnings
from pathlib import Path

import typer

import wassay
from wassay.control_characters import escape_line

NAMES = "an account's id, or a listing's id or organisation if you have pinned the account's key."
"""How to name a seller to invite; part of the help."""

NO_KEY = (
    "{account} has published no encryption key yet (wassay key). Once they have: "
    "wassay invite {request_file}"
)


def suppress_key_warnings() -> None:
    """Suppress warnings about sellers without an encryption key; `share_key` prints these."""
    # Imported here, because other commands do not need it.
    from wassay.client.errors import WithoutKeyWarning

    warnings.simplefilter("ignore", WithoutKeyWarning)


def share_key(request: wassay.Request, request_file: Path) -> None:
    """Send the reference's key to the invited sellers who have not received it.

    Print to standard error which of them have no encryption key yet, and how to send the key later.
    """
    for account in request.share_key():
        note = NO_KEY.format(account=account, request_file=request_file)
        typer.echo(escape_line(note), err=True)
