"""The revisions of the schema, and which versions of the service can use each."""

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base


class SchemaVersion(Base):
    """A revision of the schema, and the oldest version of the service that can use it.

    A version of the service is named by its own newest revision, here `compatible_since`. An older
    version lacks the migrations to a newer revision, so it reads from this row whether it can use
    it.
    """

    __tablename__ = "schema_versions"

    revision: Mapped[str] = mapped_column(primary_key=True)
    compatible_since: Mapped[str]


def note_version(connection: Connection, revision: str, compatible_since: str) -> None:
    """Store `compatible_since` for a revision (`SchemaVersion`)."""
    connection.execute(delete(SchemaVersion).where(SchemaVersion.revision == revision))
    connection.execute(
        insert(SchemaVersion).values(revision=revision, compatible_since=compatible_since)
    )


def compatible_since(connection: Connection, revision: str) -> str | None:
    """Return `compatible_since` of a revision (`SchemaVersion`); None if it is not known."""
    return connection.execute(
        select(SchemaVersion.compatible_since).where(SchemaVersion.revision == revision)
    ).scalar_one_or_none()
