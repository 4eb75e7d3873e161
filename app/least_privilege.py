"""Grant the service's Postgres role the rights to rows, but not to change permanent records.

The role that runs migrations owns the tables. The role of the web process and the workers can
neither alter tables, nor change or delete disclosures and receipts, nor change the records of what
administrators did.
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
    """Grant a role what the service needs in a migrated Postgres database; revoke everything else.

    Call `grant` after every migration, because a role has no rights to new tables.
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
    for table in append_only.TABLES:
        yield f"REVOKE UPDATE, DELETE ON {table} FROM {role}"
    yield f"REVOKE UPDATE ON {append_only.EXPIRING} FROM {role}"
    for table in (*READ_ONLY, f"{JOBS}.dbos_migrations"):
        yield f"REVOKE INSERT, UPDATE, DELETE ON {table} FROM {role}"
