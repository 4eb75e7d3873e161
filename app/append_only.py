"""Triggers that forbid updates and deletions of disclosures, receipts and admins' actions.

Admins' actions may be deleted once they are `MIN_DAYS` old.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, Table, UniqueConstraint

from .database import Base
from .settings import MIN_ADMIN_ACTION_DAYS as MIN_DAYS

TABLES = ("disclosures", "receipts")
EXPIRING = "admin_actions"
"""The table whose rows can never be updated, but can be deleted once they are `MIN_DAYS` old."""


def install(connection: Connection) -> None:
    """Create the triggers in the connection's transaction.

    If a trigger exists already, SQLite keeps it, and Postgres replaces it.
    """
    # The database's owner can drop the triggers. Hashes and signatures then still show changes of
    # disclosures and receipts.
    of_dialect = _postgres if connection.dialect.name == "postgresql" else _sqlite
    for name in TABLES:
        for statement in of_dialect(Base.metadata.tables[name]):
            connection.exec_driver_sql(statement)
    is_old = (
        f"OLD.created_at < clock_timestamp() - interval '{MIN_DAYS} days'"
        if connection.dialect.name == "postgresql"
        else f"OLD.created_at < datetime(clock_timestamp(), '-{MIN_DAYS} days')"
    )
    for statement in of_dialect(Base.metadata.tables[EXPIRING], is_old):
        connection.exec_driver_sql(statement)


def _sqlite(table: Table, deletable: str = "FALSE") -> Iterator[str]:
    name = table.name
    abort = f"BEGIN SELECT RAISE(ABORT, '{name} are append-only'); END"
    for event, allowed in (("update", "FALSE"), ("delete", deletable)):
        yield (
            f"CREATE TRIGGER IF NOT EXISTS {name}_no_{event} BEFORE {event} ON {name} "
            f"WHEN NOT ({allowed}) {abort}"
        )
    # A third trigger refuses INSERT OR REPLACE, which deletes conflicting rows without firing the
    # triggers above.
    same_key = " OR ".join(
        f"({' AND '.join(f'{column} = NEW.{column}' for column in columns)})"
        for columns in _unique(table)
    )
    conflict = f"EXISTS (SELECT 1 FROM {name} WHERE {same_key})"  # noqa: S608 - our own names
    yield (
        f"CREATE TRIGGER IF NOT EXISTS {name}_no_replace BEFORE INSERT ON {name} "
        f"WHEN {conflict} {abort}"
    )


def _postgres(table: Table, deletable: str | None = None) -> Iterator[str]:
    name = table.name
    yield (
        f"CREATE OR REPLACE FUNCTION {name}_are_append_only() RETURNS trigger LANGUAGE plpgsql "
        f"AS $$ BEGIN RAISE EXCEPTION '{name} are append-only'; END $$"
    )
    events = "UPDATE OR DELETE OR TRUNCATE" if deletable is None else "UPDATE OR TRUNCATE"
    yield (
        f"CREATE OR REPLACE TRIGGER {name}_append_only BEFORE {events} ON {name} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {name}_are_append_only()"
    )
    if deletable is not None:
        yield (
            f"CREATE OR REPLACE TRIGGER {name}_no_delete BEFORE DELETE ON {name} "
            f"FOR EACH ROW WHEN (NOT ({deletable})) EXECUTE FUNCTION {name}_are_append_only()"
        )


def _unique(table: Table) -> Iterator[list[str]]:
    """Yield the names of the columns of each unique key of a table, the primary key first."""
    yield table.primary_key.columns.keys()
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield constraint.columns.keys()
