"""The database, and what every table shares, on SQLite and on Postgres."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Connection,
    DateTime,
    Dialect,
    Engine,
    ExceptionContext,
    MetaData,
    TypeDecorator,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker

BUSY_TIMEOUT_MS = 5_000
POOL_SIZE = 10
MAX_OVERFLOW = 30  # with the pool's, a connection for each of the server's 40 threads
SNAPSHOT = "REPEATABLE READ"
GONE_SECONDS = 6
FROZEN_SECONDS = 60
"""For how long the server keeps the locks of a process that is there and says nothing: stopped, or
in a container that is paused."""
IDLE_IN_TRANSACTION = "25P03"
"""What the server says then, if a transaction was open."""
KEEPALIVES = {"idle": GONE_SECONDS // 2, "interval": 1, "count": GONE_SECONDS // 2}
POSTGRES_CLIENT = {
    "connect_timeout": 10,
    "tcp_user_timeout": 1000 * GONE_SECONDS,
    **{f"keepalives_{name}": value for name, value in KEEPALIVES.items()},
}
"""How we notice that the server does not let us in, or, in silence or amid an answer, vanished."""
POSTGRES_SESSION = (
    f"SET lock_timeout = '{BUSY_TIMEOUT_MS}ms'; SET tcp_user_timeout = '{GONE_SECONDS}s'; "
    f"SET idle_in_transaction_session_timeout = '{FROZEN_SECONDS}s'; "
    + "; ".join(f"SET tcp_keepalives_{name} = {value}" for name, value in KEEPALIVES.items())
)
"""For how long the server lets us wait for a lock, and how it notices that we froze or vanished.

Else a transaction that was open there would keep its locks for as long as the system waits: hours.
"""
READ_ONLY = "wassay_read_only"


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
        list[list[str]]: Json,
        list[float]: Json,
    }


class Timestamped:
    """Rows that say when they came and when they last changed."""

    created_at: Mapped[datetime] = mapped_column(default=lambda: now())
    updated_at: Mapped[datetime] = mapped_column(default=lambda: now(), onupdate=lambda: now())


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class Database:
    """The one way to the database: `transaction()` to write, `snapshot()` to read.

    Both are plain context managers, entered and left in the thread that does the work: the commit
    has happened when the block is left, and no lock is held while a thread is waited for.

    Rows are locked with `with_for_update(key_share=True)`: their keys never change, and a stronger
    lock would stop whoever only inserts a row that refers to them, and deadlock with them.

    Parameters
    ----------
    url
        A SQLAlchemy URL, SQLite's or Postgres's.
    """

    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self._writing = sessionmaker(self.engine, expire_on_commit=False)
        self._reading = sessionmaker(
            self.engine.execution_options(postgresql_readonly=True, isolation_level=SNAPSHOT)
            if self.engine.dialect.name == "postgresql"
            else self.engine.execution_options(**{READ_ONLY: True}),
            expire_on_commit=False,
        )

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Open a session that commits when the block ends well, and rolls back when it does not."""
        with self._writing.begin() as session:
            yield session

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """Open a session that sees one state of the database, waits for nobody, cannot write."""
        with self._reading() as session:
            yield session

    def dispose(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def make_engine(url: str) -> Engine:
    """Make the engine for a SQLite or Postgres URL.

    SQLite runs in WAL mode. Writers begin immediately: a deferred transaction that turns into a
    writer fails with "database is locked" at once, whatever the timeout. Readers begin deferred,
    so that they neither wait for the writer nor stop it. A statement that is wrong is a
    `ProgrammingError` on both, and no `OperationalError`, which may pass. Errors do not show what
    statements carried: it may be personal or secret.
    """
    options = {
        "pool_size": POOL_SIZE,
        "max_overflow": MAX_OVERFLOW,
        "pool_use_lifo": True,  # few connections, which get to know the statements
        "hide_parameters": True,
    }
    if not url.startswith("sqlite"):
        return _postgres_engine(url, options)
    _make_private(make_url(url).database)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000}, **options)

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # SQLAlchemy's BEGIN below is the only one
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=FULL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        read_only = connection.get_execution_options().get(READ_ONLY, False)
        connection.exec_driver_sql(f"PRAGMA query_only={int(read_only)}")
        connection.exec_driver_sql("BEGIN DEFERRED" if read_only else "BEGIN IMMEDIATE")

    event.listen(engine, "handle_error", _as_what_it_is, retval=True)
    return engine


def _as_what_it_is(context: ExceptionContext) -> Exception | None:
    """Tell what is wrong from what may pass, where the drivers call one of them the other."""
    error = context.original_exception
    kind: type[DBAPIError]
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        kind = ProgrammingError  # a table that is not there, say
    elif getattr(error, "sqlstate", None) == IDLE_IN_TRANSACTION:
        kind = OperationalError
    else:
        return None
    return kind(context.statement, context.parameters, error, hide_parameters=True)


def _postgres_engine(url: str, options: dict[str, Any]) -> Engine:
    engine = create_engine(url, pool_pre_ping=True, connect_args=POSTGRES_CLIENT, **options)

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        # By a statement: connection poolers refuse whoever brings settings that they do not know.
        connection.execute(POSTGRES_SESSION)
        connection.commit()

    event.listen(engine, "handle_error", _as_what_it_is, retval=True)
    return engine


def _make_private(file: str | None) -> None:
    """Make SQLite's file for its owner alone; the files beside it get the same permissions.

    One that is there is not opened: to close it would drop every lock that this process holds on
    it (POSIX), those of SQLite's other connections too.
    """
    if file and file != ":memory:":
        with suppress(OSError):  # it is there, or SQLite puts it in its own words
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
