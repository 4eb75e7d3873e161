"""Migrate a database to the newest schema, and check whether the service can use its schema."""

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
from .schema_versions import compatible_since, note_version
from .tables import METADATA

_HERE = Path(__file__).parent
SCRIPTS = next(
    # The scripts are inside this package once installed, and beside it in the source tree.
    folder
    for folder in (_HERE / "migrations", _HERE.parent / "migrations")
    if (folder / "env.py").is_file()
)


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration. Migrations need a connection; reading scripts needs none."""
    config = Config()
    location = str(SCRIPTS).replace("%", "%%")  # Config reads % as the start of a placeholder
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
    """Render our own column types as the SQLAlchemy types that store them."""
    if kind != "type":
        return False
    if isinstance(value, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if isinstance(value, JSON):
        return 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'
    return False


class SchemaTooNew(Exception):  # noqa: N818 - a refusal
    """A newer version of the service has migrated the database, and this one cannot use it."""


def head() -> str | None:
    """Return the newest revision that this version of the service knows."""
    return _scripts().get_current_head()


def current(connection: Connection) -> str | None:
    """Return the current revision of the database; None if it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def fault(connection: Connection) -> str | None:
    """Return why this version of the service cannot use the database's schema, or None.

    Raises
    ------
    SchemaTooNew
        If only a newer version of the service can use it.
    """
    received = current(connection)
    if received == head():
        return None
    if is_newer(connection):
        return None
    return (
        f"Expected the database schema {head()}; received {received or 'none'}, which is older. "
        "Run `wassay migrate`."
    )


def is_newer(connection: Connection) -> bool:
    """Return whether the database has a newer schema that this version of the service can use.

    Raises
    ------
    SchemaTooNew
        If the database has a newer schema that this version cannot use.
    """
    received = current(connection)
    known = {script.revision for script in _scripts().walk_revisions()}
    if received is None or received in known:
        return False
    since = compatible_since(connection, received)
    if since in known:
        return True
    raise SchemaTooNew(
        f"Expected the database schema {head()}, or a newer schema that this version can use; "
        f"received {received}, which needs the code of schema {since or received}. Install the "
        "version of Wassay that migrated this database."
    )


def upgrade(engine: Engine) -> bool:
    """Migrate the schema to the newest revision, in one transaction.

    The append-only triggers are installed on every call, because a comparison of schemas would not
    notice that they are missing. Concurrent calls wait for each other: on Postgres by an advisory
    lock, on SQLite by the write lock.

    Returns
    -------
    bool
        False if the schema is newer than this version of the service; nothing was changed.

    Raises
    ------
    SchemaTooNew
        If the schema is newer and this version of the service cannot use it.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('wassay migrate'))")
        if is_newer(connection):
            return False
        command.upgrade(configuration(connection), "head")
        append_only.install(connection)
        ensure_installation(connection)
        newest = _scripts().get_revision("head")
        note_version(connection, newest.revision, newest.module.compatible_since)
    return True


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(configuration())
