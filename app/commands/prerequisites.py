"""What must be there before anything of the service starts: the data folder and the schema."""

import time

import typer
from sqlalchemy.exc import DBAPIError

from wassay.redaction import redacted

from .. import migration
from ..database import Database
from ..jobs.schema import migrate as migrate_jobs
from ..settings import Settings

PAUSE_SECONDS = 0.5


def prepared_database(settings: Settings) -> Database:
    """Return a database whose schema is the newest.

    SQLite is brought there at once, since one machine has nobody to disturb. A Postgres that is
    away or behind is refused: its operator chooses the moment, with `wassay migrate`.

    Says when the data folder was not there before: in another folder than the service's, a command
    makes keys that the service does not know.
    """
    is_new = not settings.data_folder.exists()
    database = _database(settings)
    if is_new and database.engine.dialect.name == "sqlite":
        typer.echo(
            f"wassay: {settings.data_folder.absolute()} is new: a service whose data are "
            "elsewhere knows nothing of it",
            err=True,
        )
    if lacking := what_lacks(database):
        typer.echo(lacking, err=True)
        raise typer.Exit(1)
    return database


def awaited_database(settings: Settings) -> Database:
    """Return a database whose schema is the newest, as soon as it is; meanwhile say what lacks."""
    database = _database(settings)
    said = None
    while lacking := what_lacks(database):
        if lacking != said:
            typer.echo(f"{lacking} Waiting for that …", err=True)
        said = lacking
        time.sleep(PAUSE_SECONDS)
    return database


def what_lacks(database: Database) -> str | None:
    """Say what a database still lacks before the service can work with it; None: nothing."""
    try:
        with database.engine.connect() as connection:
            current = migration.current(connection)
    except DBAPIError as error:
        return f"The database does not answer ({redacted(str(error.orig).splitlines()[0])})."
    if current == migration.head():
        return None
    return (
        f"The database's schema is at {current or 'nothing'}; this version needs "
        f"{migration.head()}: run `wassay migrate`."
    )


def migrate_database(database: Database, settings: Settings) -> None:
    """Bring the job layer's tables and ours to the newest schema; ours last, they are looked at."""
    migrate_jobs(settings)
    migration.upgrade(database.engine)


def _database(settings: Settings) -> Database:
    settings.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.resolved_database_url)
    if database.engine.dialect.name == "sqlite":
        migrate_database(database, settings)
    return database
