"""`wassay key`, `wassay trust`: who one is to the others, and whom one takes them for."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained

NONE_YET = "{account} has published no encryption key yet; once they have, it has to be this one."
OTHER = (
    "Pinned, but the service shows another key of {account}: {fingerprint}. Nothing will be sealed "
    "to it, nor taken from it: ask them, not through the service, which one is theirs."
)


@explained()
def key(
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Replace a key that was published before; tell everybody then."
        ),
    ] = False,
) -> None:
    """Publish your encryption key; one is made if you have none.

    Prints its fingerprint, for you to tell those you deal with, but not through the service.
    """
    from wassay.client.shared.identity import Identity  # which other commands need not wait for

    with wassay.Client() as client:
        typer.echo(Identity(client, wassay.Profile()).publish(replace=replace))


@explained()
def trust(
    account: Annotated[str, typer.Argument(help="Somebody's account.")],
    fingerprint: Annotated[str, typer.Argument(help="As they told you, not the service.")],
) -> None:
    """Pin the fingerprint of somebody's encryption key.

    It replaces any other. Says on standard error if the service shows another key, or none yet.
    """
    from wassay.client.shared.identity import Identity  # which other commands need not wait for
    from wassay.sealing import require_fingerprint

    with wassay.Client() as client:
        published = Identity(client, wassay.Profile()).trust(account, fingerprint)
    if published is None:
        typer.echo(NONE_YET.format(account=account), err=True)
    elif published.fingerprint != require_fingerprint(fingerprint):
        told = OTHER.format(account=account, fingerprint=published.fingerprint)
        typer.echo(told, err=True)
