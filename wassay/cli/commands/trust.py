"""`wassay trust`: pin the fingerprint of another party's encryption key."""

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
def trust(
    account: Annotated[str, typer.Argument(help="The other party's account.")],
    fingerprint: Annotated[
        str, typer.Argument(help="The fingerprint that the other party, not the service, told you.")
    ],
) -> None:
    """Pin the fingerprint of another party's encryption key.

    Replaces an earlier pin. If the service shows another key, or none, prints a note to standard
    error.
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
