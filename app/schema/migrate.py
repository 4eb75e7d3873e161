"""Migrate a database to the newest schema."""

from alembic import command
from sqlalchemy import Engine

from .. import append_only
from ..arrays.installation import ensure_installation
from .compatibility import is_newer
from .scripts import configuration, scripts
from .versions import note_version


def upgrade(engine: Engine) -> bool:
    """Migrate the schema to the newest revision, in one transaction.

    The append-only triggers are installed even if the schema is the newest already, because a
    comparison of schemas would not notice that they are missing. Concurrent calls wait for each
    other: on Postgres by an advisory lock, on SQLite by the write lock.

    Returns
    -------
    bool
        True if the schema now has the newest revision that this version of the service knows. False
        if it was newer already, and nothing was changed.

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
        newest = scripts().get_revision("head")
        note_version(connection, newest.revision, newest.module.compatible_since)
    return True
