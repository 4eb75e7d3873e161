"""Bring a database's schema to the newest revision, and tell whether it is there."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import JSON, Connection, Engine

from . import append_only
from .database import UtcDateTime
from .tables import METADATA

_HERE = Path(__file__).parent
SCRIPTS = next(
    # Installed, they lie inside this package; in the source, beside it.
    folder
    for folder in (_HERE / "migrations", _HERE.parent / "migrations")
    if (folder / "env.py").is_file()
)


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, on a connection where one is needed."""
    config = Config()
    location = str(SCRIPTS).replace("%", "%%")  # it interpolates
    config.set_main_option("script_location", location)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    config.attributes["options"] = {
        "target_metadata": METADATA,
        "include_object": _is_ours,
        "render_item": _render_type,
        "compare_type": True,
    }
    return config


def _is_ours(
    _object: object, name: str | None, kind: str, _reflected: bool, _compared: object
) -> bool:
    """Leave the job library's tables alone: it migrates them itself."""
    return kind != "table" or name is None or name in METADATA.tables


def _render_type(kind: str, value: Any, _context: object) -> str | bool:
    """Render our own column types as the plain ones they are stored as."""
    if kind != "type":
        return False
    if isinstance(value, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if isinstance(value, JSON):
        return 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'
    return False


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
