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

    Concurrent calls wait for each other.

    Returns
    -------
    bool
        False if nothing was changed, because the schema is newer than this version of the service.

    Raises
    ------
    SchemaTooNew
        If the schema is so new that this version of the service cannot use it.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('wassay migrate'))")
        if is_newer(connection):
            return False
        command.upgrade(configuration(connection), "head")
        # Install the triggers always: Alembic does not notice if they are missing.
        append_only.install(connection)
        ensure_installation(connection)
        newest = scripts().get_revision("head")
        note_version(connection, newest.revision, newest.module.compatible_since)
    return True
