"""`wassay doctor`: check that this machine has what the service needs."""

from contextlib import suppress
from functools import partial

import typer

from ..arrays.opening import open_store
from ..database import Database
from ..machine_check import MachineCheck
from ..receipts.installation_key import InstallationKey
from ..receipts.key_file import KeyFile
from ..settings import get_settings
from .errors import explained


@explained()
def doctor() -> None:
    """Check the database, its schema, the clock, the disk, the bucket and the receipt key.

    The exit status is 1 if a check finds a fault.
    """
    settings = get_settings()
    with suppress(OSError):  # one of the checks explains the error
        settings.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.resolved_database_url)
    signing = InstallationKey(database, KeyFile(settings.key_file))
    check = MachineCheck(database, partial(open_store, settings, database), signing.fault)
    found = list(check.findings())
    database.dispose()
    for each in found:
        typer.echo(f"{each.name:<9} {each.fault or 'ok'}")
    if any(each.fault for each in found):
        raise typer.Exit(1)
