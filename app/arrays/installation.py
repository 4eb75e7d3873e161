"""The id of this installation, which marks its bucket."""

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import Session

from ..database import Database, clock_timestamp
from ..http.ids import new_id
from .models import Installation


def ensure_installation(connection: Connection) -> None:
    """Give the installation an id if it has none. The caller must hold the lock of migrations."""
    if connection.execute(select(Installation.id)).first() is None:
        connection.execute(insert(Installation).values(_new()))


def installation_id(database: Database) -> str:
    """Return the id of the installation that a database belongs to."""
    with database.snapshot() as session:
        return session.scalars(select(Installation.id)).one()


def renew_installation(session: Session) -> str:
    """Give a copied database a new id, and return the id.

    The copy can then no longer delete the original's arrays.
    """
    session.execute(delete(Installation))
    row = _new()
    session.execute(insert(Installation).values(row))
    return str(row["id"])


def _new() -> dict[str, object]:
    moment = clock_timestamp()
    return {"id": new_id("ins"), "created_at": moment, "updated_at": moment}
