"""Prepare the data folder and the database schema before the service starts."""

import time

import structlog
import typer
from sqlalchemy.exc import DBAPIError

from wassay.redaction import redacted

from ..database import Database
from ..jobs.library_tables import migrate as migrate_jobs
from ..schema.compatibility import incompatibility, is_newer
from ..schema.migrate import upgrade
from ..settings import Settings

logger = structlog.stdlib.get_logger("wassay.start")

PAUSE_SECONDS = 0.5


def prepared_database(settings: Settings) -> Database:
    """Return a database whose schema the service can use, or exit with status 1.

    SQLite is migrated first; Postgres is not.
    """
    is_new = not settings.data_folder.exists()
    database = _database(settings)
    # The operator may have meant another folder.
    if is_new and database.engine.dialect.name == "sqlite":
        typer.echo(
            f"wassay: created {settings.data_folder.absolute()}; a service with another data "
            "folder does not use it",
            err=True,
        )
    if unready := unready_reason(database):
        typer.echo(unready, err=True)
        raise typer.Exit(1)
    return database


def awaited_database(settings: Settings) -> Database:
    """Wait until the service can use the database's schema; print what is missing meanwhile."""
    database = _database(settings)
    reported = None
    while unready := unready_reason(database):
        if unready != reported:
            logger.warning(f"{unready} Waiting …")
        reported = unready
        time.sleep(PAUSE_SECONDS)
    return database


def unready_reason(database: Database) -> str | None:
    """Return why the service cannot use the database yet, or None if it can."""
    try:
        with database.engine.connect() as connection:
            return incompatibility(connection)
    except DBAPIError as error:
        return f"The database is unavailable ({redacted(str(error.orig).splitlines()[0])})."


def migrate_database(database: Database, settings: Settings) -> bool:
    """Migrate the job library's tables, then the service's.

    Returns
    -------
    bool
        False if nothing was changed, because the schema is newer than this version of the service.

    Raises
    ------
    SchemaTooNew
        If the schema is so new that this version of the service cannot use it.
    """
    with database.engine.connect() as connection:
        if is_newer(connection):
            return False
    # The service's tables come last, because their revision tells waiting processes that all tables
    # are ready.
    migrate_jobs(settings)
    return upgrade(database.engine)


def _database(settings: Settings) -> Database:
    database = Database(settings.resolved_database_url)
    if database.engine.dialect.name == "sqlite":
        settings.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        migrate_database(database, settings)  # at once, because nothing else uses the file
    return database
