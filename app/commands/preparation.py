"""What must be there before anything of the service starts: the data folder and the schema."""

import typer

from app import migration
from app.database import Database
from app.jobs.schema import migrate as migrate_jobs
from app.settings import Settings


def prepared_database(settings: Settings) -> Database:
    """Return a database whose schema is the newest.

    SQLite is brought there at once, since one machine has nobody to disturb. A Postgres that is
    behind is refused: its operator chooses the moment, with `wassay migrate`.
    """
    settings.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.resolved_database_url)
    if database.engine.dialect.name == "sqlite":
        migrate_database(database, settings)
        return database
    with database.engine.connect() as connection:
        current, head = migration.current(connection), migration.head()
    if current != head:
        typer.echo(
            f"The database's schema is at {current or 'nothing'}; this version needs {head}. "
            "Run `wassay migrate` first.",
            err=True,
        )
        raise typer.Exit(1)
    return database


def migrate_database(database: Database, settings: Settings) -> None:
    """Bring our tables and the job layer's to the newest schema."""
    migration.upgrade(database.engine)
    migrate_jobs(settings)
