"""`wassay key` and `trust`: publish the caller's encryption key, and pin other parties' keys."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained

NONE_YET = (
    "Pinned. {account} has published no encryption key yet; only a key with this fingerprint will "
    "be accepted."
)
OTHER = (
    "Pinned, but the service shows another key for {account}: {fingerprint}. Nothing will be "
    "sealed to that key or accepted from it. Ask the other party, not through the service, which "
    "key is theirs."
)


@explained()
def key(
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="Replace the key that you published before, for example because others could read "
            "it. Draws a new key, unless your profile holds another one. Tell the new "
            "fingerprint to everybody you deal with.",
        ),
    ] = False,
) -> None:
    """Publish your encryption key, and print its fingerprint.

    Creates the key if you have none. Tell the fingerprint to the people you deal with, in another
    way than through the service.
    """
    # Imported here, because other commands do not need it.
    from wassay.client.shared.identity import Identity

    with wassay.Client() as client:
        typer.echo(Identity(client, wassay.Profile()).publish(replace=replace))


@explained()
def trust(
    account: Annotated[str, typer.Argument(help="The other party's account.")],
    fingerprint: Annotated[
        str, typer.Argument(help="The fingerprint that the other party, not the service, told you.")
    ],
) -> None:
    """Pin the fingerprint of another party's encryption key.

    Replaces an earlier pin. Prints a note to standard error if the service shows another key or no
    key.
    """
    # Imported here, because other commands do not need it.
    from wassay.client.shared.identity import Identity
    from wassay.sealed_boxes import require_fingerprint

    with wassay.Client() as client:
        published = Identity(client, wassay.Profile()).trust(account, fingerprint)
    if published is None:
        typer.echo(NONE_YET.format(account=account), err=True)
    elif published.fingerprint != require_fingerprint(fingerprint):
        note = OTHER.format(account=account, fingerprint=published.fingerprint)
        typer.echo(note, err=True)
