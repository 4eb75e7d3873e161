"""`wassay key`, `trust`: publish one's encryption key, and pin those of others."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained

NONE_YET = "{account} has published no encryption key yet. Only this one will be accepted."
OTHER = (
    "Pinned, but the service shows another key for {account}: {fingerprint}. Nothing will be "
    "sealed to that key or accepted from it. Ask them, not through the service, which key "
    "is theirs."
)


@explained()
def key(
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace a published key. Tell everybody you deal with."),
    ] = False,
) -> None:
    """Publish your encryption key, and print its fingerprint.

    Creates the key first if you have none. Tell the fingerprint to the people you deal with, over
    another channel than the service.
    """
    # Imports what other commands do not need.
    from wassay.client.shared.identity import Identity

    with wassay.Client() as client:
        typer.echo(Identity(client, wassay.Profile()).publish(replace=replace))


@explained()
def trust(
    account: Annotated[str, typer.Argument(help="The other party's account.")],
    fingerprint: Annotated[
        str, typer.Argument(help="The fingerprint that they told you, not the service.")
    ],
) -> None:
    """Pin the fingerprint of another party's encryption key.

    Replaces an earlier pin. Prints to standard error if the service shows another key, or none.
    """
    # Imports what other commands do not need.
    from wassay.client.shared.identity import Identity
    from wassay.sealing import require_fingerprint

    with wassay.Client() as client:
        published = Identity(client, wassay.Profile()).trust(account, fingerprint)
    if published is None:
        typer.echo(NONE_YET.format(account=account), err=True)
    elif published.fingerprint != require_fingerprint(fingerprint):
        note = OTHER.format(account=account, fingerprint=published.fingerprint)
        typer.echo(note, err=True)
