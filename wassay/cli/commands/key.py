"""`wassay key`: publish the caller's encryption key."""

from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained


@explained()
def key(
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="Replace the key that you published before, for example because others could read "
            "it. Publishes your profile's key or, if that is published already, a new one. Tell "
            "the new fingerprint to everybody you deal with.",
        ),
    ] = False,
) -> None:
    """Publish your encryption key, and print its fingerprint.

    Creates the key if you have none. Tell others the fingerprint, but not through the service.
    """
    # Imported here, because other commands do not need it.
    from wassay.client.shared.identity import Identity

    with wassay.Client() as client:
        typer.echo(Identity(client, wassay.Profile()).publish(replace=replace))
