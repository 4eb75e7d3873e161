"""`wassay receipt-keys`: manage the keys that sign receipts."""

from typing import Annotated

import typer

from ..accounts.admin_actions import record
from ..receipts import repository, service
from ..receipts.key_file import KeyFile
from ..settings import get_settings
from .errors import explained
from .prerequisites import prepared_database

receipt_keys = typer.Typer(help="Manage the keys that sign receipts.", no_args_is_help=True)


@receipt_keys.command(name="list")
@explained()
def list_keys() -> None:
    """List all keys and their public halves, oldest first."""
    with prepared_database(get_settings()).snapshot() as session:
        for key in repository.all_keys(session):
            until = "" if key.retired_at is None else f"  retired {key.retired_at:%Y-%m-%d}"
            typer.echo(f"{key.id}  {key.public_key}  since {key.created_at:%Y-%m-%d}{until}")


@receipt_keys.command()
@explained()
def rotate(
    keep: Annotated[
        bool,
        typer.Option(
            "--keep",
            help="Let machines with the old key go on signing until you retire that key by its id.",
        ),
    ] = False,
) -> None:
    """Draw a new signing key on this machine and, without --keep, retire the old keys.

    Old keys stay published, so that receipts can still be verified. Copy the key file to all
    machines that do not share it: without --keep, their workers take no jobs until then.
    """
    settings = get_settings()
    database = prepared_database(settings)
    with service.rotate_key(database, KeyFile(settings.key_file), keep=keep) as rotation:
        session, old, current = rotation
        record(session, None, "receipt-key.rotate", current.id)
    for key_id in old:
        typer.echo(f"{'still signs' if keep else 'retired'} {key_id}")
    typer.echo(f"signs from now on: {current.id}  {current.text}")


@receipt_keys.command()
@explained()
def retire(key_id: str) -> None:
    """Retire a key. It signs nothing from now on, but stays published."""
    with prepared_database(get_settings()).transaction() as session:
        service.retire_key(session, key_id)
        record(session, None, "receipt-key.retire", key_id)
    typer.echo(f"retired {key_id}")
