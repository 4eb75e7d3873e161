"""What must be there before anything of the service starts: the data folder and the schema."""

import typer
from sqlalchemy import Engine

from app import jobs, migration
from app.database import make_engine
from app.settings import Settings


def prepared_database(settings: Settings) -> Engine:
    """Return an engine on a database whose schema is the newest.

    SQLite is brought there at once, since one machine has nobody to disturb. A Postgres that is
    behind is refused: its operator chooses the moment, with `wassay migrate`.
    """
    settings.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    engine = make_engine(settings.resolved_database_url)
    if engine.dialect.name == "sqlite":
        migrate_database(engine, settings)
        return engine
    with engine.connect() as connection:
        current, head = migration.current(connection), migration.head()
    if current != head:
        typer.echo(
            f"The database's schema is at {current or 'nothing'}; this version needs {head}. "
            "Run `wassay migrate` first.",
            err=True,
        )
        raise typer.Exit(1)
    return engine


def migrate_database(engine: Engine, settings: Settings) -> None:
    """Bring our tables and the job layer's to the newest schema."""
    migration.upgrade(engine)
    jobs.migrate(settings)
