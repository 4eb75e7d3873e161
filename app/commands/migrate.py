"""`wassay migrate`: migrate the database."""

from typing import Annotated

import typer

from .. import least_privilege
from ..database import Database
from ..settings import get_settings
from .errors import explained
from .prerequisites import migrate_database


@explained()
def migrate(
    grant_to: Annotated[
        str | None,
        typer.Option(
            metavar="ROLE",
            help="Grant this Postgres role exactly what the service needs.",
        ),
    ] = None,
) -> None:
    """Migrate the database to the newest schema."""
    settings = get_settings()
    if settings.database_url is None:
        settings.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.resolved_database_url)
    if grant_to is not None and database.engine.dialect.name != "postgresql":
        typer.echo(
            "wassay: --grant-to needs Postgres, because SQLite has no roles. Leave it out.",
            err=True,
        )
        raise typer.Exit(1)
    migrated = migrate_database(database, settings)
    if grant_to is not None and migrated:
        with database.engine.begin() as connection:
            least_privilege.grant(connection, grant_to)
    database.dispose()
    typer.echo(
        "The schema is up to date."
        if migrated
        else "The schema is newer than this version of Wassay, which can use it all the same. "
        "Nothing was changed."
    )
