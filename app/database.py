"""Sessions on SQLite and Postgres, and the base class of all tables."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
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
    Function,
    MetaData,
    Select,
    TypeDecorator,
    create_engine,
    event,
    func,
    make_url,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError
from sqlalchemy.orm import (
    DeclarativeBase,
    InstrumentedAttribute,
    Mapped,
    Session,
    mapped_column,
    sessionmaker,
)

from .idle_connections import check_idle_connections

BUSY_TIMEOUT_MS = 5_000
POOL_SIZE = 10
MAX_OVERFLOW = 30  # POOL_SIZE + MAX_OVERFLOW: the server has 40 threads
SNAPSHOT = "REPEATABLE READ"
GONE_SECONDS = 6
FROZEN_LOCK_SECONDS = 60
"""How long Postgres keeps the locks of a process that is suspended, such as in a paused container.
"""
IDLE_IN_TRANSACTION = "25P03"
"""The SQLSTATE of the error when Postgres has ended a transaction that was idle for too long."""
KEEPALIVES = {"idle": GONE_SECONDS // 2, "interval": 1, "count": GONE_SECONDS // 2}
POSTGRES_CLIENT = {
    "connect_timeout": 10,
    "tcp_user_timeout": 1000 * GONE_SECONDS,
    **{f"keepalives_{name}": value for name, value in KEEPALIVES.items()},
}
"""Timeouts of the client, to detect an unreachable server while connecting and during a query."""
POSTGRES_SESSION = (
    f"SET lock_timeout = '{BUSY_TIMEOUT_MS}ms'; SET tcp_user_timeout = '{GONE_SECONDS}s'; "
    f"SET idle_in_transaction_session_timeout = '{FROZEN_LOCK_SECONDS}s'; "
    + "; ".join(f"SET tcp_keepalives_{name} = {value}" for name, value in KEEPALIVES.items())
)
"""Timeouts of the server: for waiting for locks, and to detect a client that is suspended or gone.

Without these timeouts, the open transaction of a lost client would keep its locks for hours.
"""
BEGIN = "wassay_begin"
"""The execution option that says how SQLite begins a transaction: `IMMEDIATE` or `DEFERRED`.

With `None` (to read) or `STATEMENT` (to write), SQLite begins none.
"""
ON_COMMIT = "wassay_on_commit"


class UtcDateTime(TypeDecorator[datetime]):
    """A timestamp in UTC. SQLite stores no time zone, so reading adds it."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; raise `ValueError` for a time without a time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"expected a time with a time zone, received the naive {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time with the time zone UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class Base(DeclarativeBase):
    """The base class of all tables. It names constraints, so that migrations can drop them."""

    __mapper_args__ = {"eager_defaults": True}  # noqa: RUF012 - SQLAlchemy reads a plain dict
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
        list[dict[str, Any]]: Json,
        list[str]: Json,
        list[list[str]]: Json,
        list[float]: Json,
    }


def clock_timestamp() -> Function[datetime]:
    """Return the SQL expression for the time by the database's clock.

    Every stored time comes from this clock, because the clocks of machines differ.
    """
    return func.clock_timestamp(type_=UtcDateTime())


class Timestamped:
    """Columns with the times of a row's creation and last change."""

    created_at: Mapped[datetime] = mapped_column(default=clock_timestamp())
    updated_at: Mapped[datetime] = mapped_column(
        default=clock_timestamp(), onupdate=clock_timestamp()
    )


def database_time(session: Session) -> datetime:
    """Return the time by the database's clock."""
    return session.execute(select(clock_timestamp())).scalar_one()


def on_commit(session: Session, act: Callable[[], None]) -> None:
    """Call `act` after the session's `Database.transaction` has committed."""
    session.info.setdefault(ON_COMMIT, []).append(act)


def lock_selected(
    session: Session,
    rows: Select[Any],
    key: InstrumentedAttribute[str],
    values: Mapping[str, Any] | None = None,
) -> None:
    """Lock the rows that the statement `rows` selects; `key` is the primary key of the rows' table.

    `values` are the statement's bound parameters. To read the locked rows, execute a later
    statement.
    """
    # A statement that has waited for a lock rereads the locked rows, but not the rows joined to
    # them. So this one reads only keys.
    locked = rows.with_only_columns(key).with_for_update(of=key, key_share=True)
    session.execute(locked, values).all()


def now() -> datetime:
    """Return the time by this machine's clock; use it only for times that are not stored."""
    return datetime.now(UTC)


class Database:
    """Access to the database: `transaction()` to write, `snapshot()` to read.

    For single statements, `statement()` and `look()` take fewer round trips. Enter and leave these
    four in the thread that does the work, so that no lock is held while a coroutine waits for a
    thread.

    Lock rows with `with_for_update(key_share=True)`. A stronger lock would block inserts of rows
    that refer to the locked row, and could deadlock with them.

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
            else self.engine.execution_options(**{BEGIN: "DEFERRED"}),
            expire_on_commit=False,
        )
        self._looking = self.engine.execution_options(
            **(
                {"isolation_level": "AUTOCOMMIT"}
                if self.engine.dialect.name == "postgresql"
                else {BEGIN: None}
            )
        )

        self._stating = self.engine.execution_options(
            **(
                {"isolation_level": "AUTOCOMMIT"}
                if self.engine.dialect.name == "postgresql"
                else {BEGIN: "STATEMENT"}
            )
        )

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Open a session that commits at the end of the block, and rolls back on an exception."""
        with self._writing.begin() as session:
            yield session
        for act in session.info.get(ON_COMMIT, ()):
            act()

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """Open a read-only session, which sees one state of the database and waits for no locks."""
        with self._reading() as session:
            yield session

    @contextmanager
    def look(self) -> Iterator[Connection]:
        """Open a connection for reading, on which every statement sees the newest state.

        On Postgres, one statement takes half as many round trips as in a `snapshot()`.
        """
        with self._looking.connect() as connection:
            yield connection

    @contextmanager
    def statement(self) -> Iterator[Connection]:
        """Open a connection for writing, on which every statement commits by itself.

        On Postgres, one statement takes a third of the round trips of a `transaction()`.
        """
        with self._stating.connect() as connection:
            yield connection

    def dispose(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def make_engine(url: str) -> Engine:
    """Create the engine for a SQLite or Postgres URL.

    Invalid statements raise `ProgrammingError`, and transient failures raise `OperationalError`.
    Errors leave out the parameters of statements, which may be personal or secret.
    """
    options = {
        "pool_size": POOL_SIZE,
        "max_overflow": MAX_OVERFLOW,
        "pool_use_lifo": True,  # reuses few connections, so their statement caches stay warm
        "hide_parameters": True,
    }
    if not url.startswith("sqlite"):
        return _postgres_engine(url, options)
    _make_private(make_url(url).database)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000}, **options)

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver begins no transactions; `_begin` does
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=FULL")
        connection.create_function("clock_timestamp", 0, _sqlite_clock)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A deferred transaction fails with "database is locked" if it starts to write while another
        # one writes, whatever the timeout. So transactions that write begin IMMEDIATE. Those that
        # read begin DEFERRED, and neither wait for a writer nor block one. Single statements begin
        # none; if one writes, it waits for other writers.
        mode = connection.get_execution_options().get(BEGIN, "IMMEDIATE")
        is_read_only = mode not in {"IMMEDIATE", "STATEMENT"}
        if connection.info.get("is_read_only") != is_read_only:
            connection.exec_driver_sql(f"PRAGMA query_only={int(is_read_only)}")
            connection.info["is_read_only"] = is_read_only
        if mode == "IMMEDIATE":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        elif mode == "DEFERRED":
            # By the driver, which is six times as fast. This begin waits for nothing and cannot
            # fail, so no error needs to be translated.
            driver: Any = connection.connection.driver_connection
            driver.execute("BEGIN DEFERRED")

    event.listen(engine, "handle_error", _correct_error_class, retval=True)
    return engine


def _sqlite_clock() -> str:
    """Return the time in SQLAlchemy's format. SQLite's own functions do not give microseconds."""
    return now().strftime("%Y-%m-%d %H:%M:%S.%f")


def _correct_error_class(context: ExceptionContext) -> Exception | None:
    """Return the error in the right class if the driver chose a wrong one; else None."""
    error = context.original_exception
    kind: type[DBAPIError]
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        kind = ProgrammingError  # such as a missing table
    elif getattr(error, "sqlstate", None) == IDLE_IN_TRANSACTION:
        kind = OperationalError
    else:
        return None
    return kind(context.statement, context.parameters, error, hide_parameters=True)


def _postgres_engine(url: str, options: dict[str, Any]) -> Engine:
    engine = create_engine(url, connect_args=POSTGRES_CLIENT, **options)
    check_idle_connections(engine)

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        # Set options by a statement, because connection poolers reject unknown options of a
        # connection.
        connection.execute(POSTGRES_SESSION)
        connection.commit()

    event.listen(engine, "handle_error", _correct_error_class, retval=True)
    return engine


def _make_private(file: str | None) -> None:
    """Create SQLite's file with access for its owner only, which its WAL files inherit."""
    if file and file != ":memory:":
        # Never open a file that exists: closing it would drop all POSIX locks that this process
        # holds on the file, including those of SQLite's other connections.
        with suppress(OSError):  # the file exists, or SQLite will report the error
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
