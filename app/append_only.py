"""Triggers that let rows into a table, and nothing change or remove them: disclosures, receipts.

They stop mistakes, and whoever has only the service's rights. A database's owner can drop them;
that a ledger was changed, its hashes tell, and of a receipt its signature.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, Table, UniqueConstraint

from .database import Base

TABLES = ("disclosures", "receipts")


def install(connection: Connection) -> None:
    """Put the triggers in place, in the connection's transaction; again changes nothing."""
    of_dialect = _postgres if connection.dialect.name == "postgresql" else _sqlite
    for name in TABLES:
        for statement in of_dialect(Base.metadata.tables[name]):
            connection.exec_driver_sql(statement)


def _sqlite(table: Table) -> Iterator[str]:
    name = table.name
    refusal = f"BEGIN SELECT RAISE(ABORT, '{name} are append-only'); END"
    for event in ("update", "delete"):
        yield f"CREATE TRIGGER IF NOT EXISTS {name}_no_{event} BEFORE {event} ON {name} {refusal}"
    # INSERT OR REPLACE removes the row that is in its way, without a word to the triggers above.
    taken = " OR ".join(
        f"({' AND '.join(f'{column} = NEW.{column}' for column in columns)})"
        for columns in _unique(table)
    )
    in_the_way = f"EXISTS (SELECT 1 FROM {name} WHERE {taken})"  # noqa: S608 - names of ours
    yield (
        f"CREATE TRIGGER IF NOT EXISTS {name}_no_replace BEFORE INSERT ON {name} "
        f"WHEN {in_the_way} {refusal}"
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
    """Yield the columns of every key that no two rows share."""
    yield table.primary_key.columns.keys()
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield constraint.columns.keys()
