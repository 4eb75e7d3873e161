"""Bring a database's schema to the newest revision, and tell whether it is there."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

import migrations
from app import append_only


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, on a connection where one is needed."""
    config = Config()
    folder = str(Path(migrations.__file__).parent)
    config.set_main_option("script_location", folder.replace("%", "%%"))  # it interpolates
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def head() -> str | None:
    """Return the newest revision that this version of the service knows."""
    return ScriptDirectory.from_config(configuration()).get_current_head()


def current(connection: Connection) -> str | None:
    """Return the revision that the database is at; nothing for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine) -> None:
    """Bring the schema to the newest revision, in one transaction.

    Alembic makes the tables; the triggers that keep ledgers and receipts append-only are put in
    place anew each time, since no comparison of schemas would notice that they are missing. On
    Postgres a lock makes several starters take turns; SQLite's write lock does the same.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('wassay migrate'))")
        command.upgrade(configuration(connection), "head")
        append_only.install(connection)
