"""The engine, the session, and what every table shares, on SQLite and on Postgres."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    Engine,
    MetaData,
    TypeDecorator,
    create_engine,
    event,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker

BUSY_TIMEOUT_MS = 30_000


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC timestamp; SQLite keeps no zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store UTC, and refuse a naive time: nobody knows what it means."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"expected a time with a zone, got the naive {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back an aware time."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class Base(DeclarativeBase):
    """The base of every table; constraints have predictable names, so migrations can drop them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads a plain dict
        datetime: UtcDateTime,
        dict[str, Any]: Json,
        list[str]: Json,
        list[float]: Json,
    }


class Timestamped:
    """Rows that say when they came and when they last changed."""

    created_at: Mapped[datetime] = mapped_column(default=lambda: now())
    updated_at: Mapped[datetime] = mapped_column(default=lambda: now(), onupdate=lambda: now())


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def make_engine(url: str) -> Engine:
    """Make the engine for a SQLite or Postgres URL.

    SQLite runs in WAL mode with immediate transactions: a deferred transaction that turns into a
    writer fails with "database is locked" at once, whatever the timeout.
    """
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000})

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # SQLAlchemy's BEGIN below is the only one
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=FULL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def make_sessions(engine: Engine) -> sessionmaker[Session]:
    """Make the factory of sessions: a request, or a step of a job, is one session, one commit."""
    return sessionmaker(engine, expire_on_commit=False)
