"""Grant the service's Postgres role only the rights that the web process and the workers need.

The role may read and write rows, but `_statements` lists tables that it cannot change.
"""

from collections.abc import Iterator

from sqlalchemy import Connection

from . import append_only
from .arrays.models import Installation
from .schema.versions import SchemaVersion

JOBS = "dbos"
"""The schema that holds the tables of the job library."""
READ_ONLY = ("alembic_version", Installation.__tablename__, SchemaVersion.__tablename__)


def grant(connection: Connection, role: str) -> None:
    """Grant a role the rights that it needs to Postgres tables, and revoke all others.

    Call this after every migration, because the role has no rights to new tables.
    """
    quoted = connection.dialect.identifier_preparer.quote(role)
    for statement in _statements(quoted):
        connection.exec_driver_sql(statement)


def _statements(role: str) -> Iterator[str]:
    for schema in ("public", JOBS):
        for kind in ("TABLES", "SEQUENCES"):
            yield f"REVOKE ALL ON ALL {kind} IN SCHEMA {schema} FROM {role}"
        yield f"GRANT USAGE ON SCHEMA {schema} TO {role}"
        yield f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}"
        yield f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role}"
    # Not even the service may change a ledger or a receipt.
    for table in append_only.TABLES:
        yield f"REVOKE UPDATE, DELETE ON {table} FROM {role}"
    yield f"REVOKE UPDATE ON {append_only.EXPIRING} FROM {role}"
    for table in (*READ_ONLY, f"{JOBS}.dbos_migrations"):
        yield f"REVOKE INSERT, UPDATE, DELETE ON {table} FROM {role}"
