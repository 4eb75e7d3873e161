"""The revisions that a database has had, and the oldest revision whose code can use each."""

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base


class SchemaVersion(Base):
    """A revision of the schema, and the oldest revision whose code can use that schema.

    A revision's code is the version of the service that has this revision as its newest one. Older
    versions lack the migration to a newer revision, so they learn from this row whether they can
    use its schema.
    """

    __tablename__ = "schema_versions"

    revision: Mapped[str] = mapped_column(primary_key=True)
    compatible_since: Mapped[str]


def note_version(connection: Connection, revision: str, compatible_since: str) -> None:
    """Store `compatible_since`, the oldest revision whose code can use the schema of `revision`."""
    connection.execute(delete(SchemaVersion).where(SchemaVersion.revision == revision))
    connection.execute(
        insert(SchemaVersion).values(revision=revision, compatible_since=compatible_since)
    )


def compatible_since(connection: Connection, revision: str) -> str | None:
    """Return the oldest revision whose code can use the schema of `revision`; None if unknown."""
    return connection.execute(
        select(SchemaVersion.compatible_since).where(SchemaVersion.revision == revision)
    ).scalar_one_or_none()
