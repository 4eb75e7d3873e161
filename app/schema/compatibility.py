"""Check whether this version of the service can use the schema of a database."""

from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from .scripts import scripts
from .versions import compatible_since


class SchemaTooNew(Exception):  # noqa: N818 - a refusal
    """The database has the schema of a newer version of the service; this version cannot use it."""


def head() -> str | None:
    """Return the newest revision that this version of the service knows."""
    return scripts().get_current_head()


def current(connection: Connection) -> str | None:
    """Return the current revision of the database; None if it was never migrated."""
    return MigrationContext.configure(connection).get_current_revision()


def incompatibility(connection: Connection) -> str | None:
    """Return a message if the schema is too old for this version of the service, else None.

    Raises
    ------
    SchemaTooNew
        If the schema is too new for this version.
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
    known = {script.revision for script in scripts().walk_revisions()}
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
