"""`wassay receipt-keys`: manage the keys that sign receipts, on the service's machine."""

import typer

from ..receipts import repository, service
from ..receipts.key_file import KeyFile
from ..settings import get_settings
from .errors import explained
from .prerequisites import prepared_database

receipt_keys = typer.Typer(help="Manage the keys that sign receipts.", no_args_is_help=True)


@receipt_keys.command(name="list")
@explained()
def list_keys() -> None:
    """List all keys with their public halves in base64, oldest first."""
    with prepared_database(get_settings()).snapshot() as session:
        for key in repository.every_key(session):
            until = "" if key.retired_at is None else f"  retired {key.retired_at:%Y-%m-%d}"
            typer.echo(f"{key.id}  {key.public_key}  since {key.created_at:%Y-%m-%d}{until}")


@receipt_keys.command()
@explained()
def rotate() -> None:
    """Replace the signing key.

    The old key stays published, so that its receipts can still be verified.
    """
    settings = get_settings()
    with prepared_database(settings).transaction() as session:
        retired, current = service.rotate_key(session, KeyFile(settings.data_folder))
    typer.echo(f"retired {retired.id}; receipts are signed with {current.id}  {current.text}")
