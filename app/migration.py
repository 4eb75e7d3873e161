"""Migrate a database to the newest revision, and report its current one."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import JSON, Connection, Engine

from . import append_only
from .arrays.installation import ensure_installation
from .database import UtcDateTime
from .tables import METADATA

_HERE = Path(__file__).parent
SCRIPTS = next(
    # Inside this package if installed; beside it in the source tree.
    folder
    for folder in (_HERE / "migrations", _HERE.parent / "migrations")
    if (folder / "env.py").is_file()
)


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, with a connection for migrations."""
    config = Config()
    location = str(SCRIPTS).replace("%", "%%")  # the configuration interpolates
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
    """Exclude the tables of the job library, which migrates them itself."""
    return kind != "table" or name is None or name in METADATA.tables


def _render_type(kind: str, value: Any, _context: object) -> str | bool:
    """Render our column types as the plain types that they are stored as."""
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
    """Return the current revision of the database; None if it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def fault(connection: Connection) -> str | None:
    """Return why this version of the service cannot use the database's schema, or None."""
    received = current(connection)
    if received == head():
        return None
    return (
        f"Expected the database schema {head()}; received {received or 'none'}. Run "
        "`wassay migrate`."
    )


def upgrade(engine: Engine) -> None:
    """Migrate the schema to the newest revision, in one transaction.

    The append-only triggers are installed on every call, because a comparison of schemas would not
    notice that they are missing. Concurrent calls wait for each other: on Postgres by an advisory
    lock, on SQLite by the write lock.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('wassay migrate'))")
        command.upgrade(configuration(connection), "head")
        append_only.install(connection)
        ensure_installation(connection)
