"""The revisions that a database has had, and the oldest version of the service that each suits."""

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import Mapped, mapped_column

from .database import Base


class SchemaVersion(Base):
    """A revision of the schema, and the oldest one whose code can use it.

    An older version of the service does not know a newer revision's file, so it reads this row.
    """

    __tablename__ = "schema_versions"

    revision: Mapped[str] = mapped_column(primary_key=True)
    compatible_since: Mapped[str]


def note_version(connection: Connection, revision: str, compatible_since: str) -> None:
    """Store the oldest revision whose code can use this one."""
    connection.execute(delete(SchemaVersion).where(SchemaVersion.revision == revision))
    connection.execute(
        insert(SchemaVersion).values(revision=revision, compatible_since=compatible_since)
    )


def compatible_since(connection: Connection, revision: str) -> str | None:
    """Return the oldest revision whose code can use this one; None if that was not stored."""
    return connection.execute(
        select(SchemaVersion.compatible_since).where(SchemaVersion.revision == revision)
    ).scalar_one_or_none()
