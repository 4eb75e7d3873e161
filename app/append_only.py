"""Triggers that forbid updates and deletions of disclosures and receipts.

They protect against mistakes and against anyone with only the service's rights. The owner of the
database can drop the triggers. If rows are changed then, a ledger's hashes and a receipt's
signature no longer fit them.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, Table, UniqueConstraint

from .database import Base

TABLES = ("disclosures", "receipts")


def install(connection: Connection) -> None:
    """Create the triggers in the connection's transaction; do nothing if they exist."""
    of_dialect = _postgres if connection.dialect.name == "postgresql" else _sqlite
    for name in TABLES:
        for statement in of_dialect(Base.metadata.tables[name]):
            connection.exec_driver_sql(statement)


def _sqlite(table: Table) -> Iterator[str]:
    name = table.name
    abort = f"BEGIN SELECT RAISE(ABORT, '{name} are append-only'); END"
    for event in ("update", "delete"):
        yield f"CREATE TRIGGER IF NOT EXISTS {name}_no_{event} BEFORE {event} ON {name} {abort}"
    # INSERT OR REPLACE deletes conflicting rows without firing the triggers above.
    same_key = " OR ".join(
        f"({' AND '.join(f'{column} = NEW.{column}' for column in columns)})"
        for columns in _unique(table)
    )
    conflict = f"EXISTS (SELECT 1 FROM {name} WHERE {same_key})"  # noqa: S608 - our own names
    yield (
        f"CREATE TRIGGER IF NOT EXISTS {name}_no_replace BEFORE INSERT ON {name} "
        f"WHEN {conflict} {abort}"
    )


def _postgres(table: Table) -> Iterator[str]:
    name = table.name
    yield (
        f"CREATE OR REPLACE FUNCTION {name}_are_append_only() RETURNS trigger LANGUAGE plpgsql "
        f"AS $$ BEGIN RAISE EXCEPTION '{name} are append-only'; END $$"
    )
    yield (
        f"CREATE OR REPLACE TRIGGER {name}_append_only "
        f"BEFORE UPDATE OR DELETE OR TRUNCATE ON {name} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {name}_are_append_only()"
    )


def _unique(table: Table) -> Iterator[list[str]]:
    """Yield the columns of the primary key and of every unique constraint."""
    yield table.primary_key.columns.keys()
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield constraint.columns.keys()
