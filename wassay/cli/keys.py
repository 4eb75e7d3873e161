"""`wassay key`, `wassay trust`: who one is to the others, and whom one takes them for."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained


@explained()
def key(
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Though another was published; tell everybody then."),
    ] = False,
) -> None:
    """Publish your encryption key; made when you have none.

    Prints its fingerprint, to tell those you deal with, and not through the service.
    """
    from wassay.client.identity import Identity  # which other commands need not wait for

    with wassay.Client() as client:
        typer.echo(Identity(client, wassay.Profile()).publish(replace=replace))


@explained()
def trust(
    account: Annotated[str, typer.Argument(help="Somebody's account.")],
    fingerprint: Annotated[str, typer.Argument(help="As they told you, not the service.")],
) -> None:
    """Pin the fingerprint of somebody's encryption key, in place of any other."""
    with wassay.Client() as client:
        wassay.Profile().trust(client.accounts.me().id, account, fingerprint)
