"""How Alembic reaches the database: on the connection that `app.migration` hands over."""

from typing import Any

from alembic import context
from sqlalchemy import JSON, Connection

import app.tables  # noqa: F401 - registers every table on the metadata
from app.database import Base, UtcDateTime


def is_ours(
    _object: object, name: str | None, kind: str, _reflected: bool, _compared: object
) -> bool:
    """Leave the job library's tables alone: it migrates them itself."""
    return kind != "table" or name is None or name in Base.metadata.tables


def render_type(kind: str, value: Any, _context: object) -> str | bool:
    """Render our own column types as the plain ones they are stored as."""
    if kind != "type":
        return False
    if isinstance(value, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if isinstance(value, JSON):
        return 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'
    return False


def run(connection: Connection) -> None:
    """Run the migrations asked for, each in a transaction."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_object=is_ours,
        render_item=render_type,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run(context.config.attributes["connection"])
