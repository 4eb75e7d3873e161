"""The revisions of the schema, and which versions of the service can use each."""

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base


class SchemaVersion(Base):
    """A revision of the schema, and the oldest version of the service that can use it.

    `compatible_since` is the newest revision that this oldest version knows.
    """

    __tablename__ = "schema_versions"

    revision: Mapped[str] = mapped_column(primary_key=True)
    compatible_since: Mapped[str]


def note_version(connection: Connection, revision: str, compatible_since: str) -> None:
    """Store the row of `SchemaVersion` for `revision`, in place of an earlier one."""
    connection.execute(delete(SchemaVersion).where(SchemaVersion.revision == revision))
    connection.execute(
        insert(SchemaVersion).values(revision=revision, compatible_since=compatible_since)
    )


def compatible_since(connection: Connection, revision: str) -> str | None:
    """Return the `compatible_since` that is stored for `revision`, or None."""
    return connection.execute(
        select(SchemaVersion.compatible_since).where(SchemaVersion.revision == revision)
    ).scalar_one_or_none()
