"""Triggers that let rows into the table of disclosures, and nothing change or remove them.

They stop mistakes, and whoever has only the service's rights. A database's owner can drop them;
that a ledger was changed, its hashes tell.
"""

from sqlalchemy import Connection

SQLITE = (
    """CREATE TRIGGER IF NOT EXISTS disclosures_no_update BEFORE UPDATE ON disclosures
       BEGIN SELECT RAISE(ABORT, 'disclosures are append-only'); END""",
    """CREATE TRIGGER IF NOT EXISTS disclosures_no_delete BEFORE DELETE ON disclosures
       BEGIN SELECT RAISE(ABORT, 'disclosures are append-only'); END""",
    # INSERT OR REPLACE removes the row that is in its way, without a word to the trigger above.
    """CREATE TRIGGER IF NOT EXISTS disclosures_no_replace BEFORE INSERT ON disclosures
       WHEN EXISTS (
           SELECT 1 FROM disclosures WHERE id = NEW.id
           OR (owner_id = NEW.owner_id AND position = NEW.position)
       )
       BEGIN SELECT RAISE(ABORT, 'disclosures are append-only'); END""",
)

POSTGRES = (
    """CREATE OR REPLACE FUNCTION disclosures_are_append_only() RETURNS trigger
       LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disclosures are append-only'; END $$""",
    """CREATE OR REPLACE TRIGGER disclosures_append_only
       BEFORE UPDATE OR DELETE OR TRUNCATE ON disclosures
       FOR EACH STATEMENT EXECUTE FUNCTION disclosures_are_append_only()""",
)


def install(connection: Connection) -> None:
    """Put the triggers in place, in the connection's transaction; again changes nothing."""
    statements = POSTGRES if connection.dialect.name == "postgresql" else SQLITE
    for statement in statements:
        connection.exec_driver_sql(statement)
