"""Engines for SQLite and Postgres: their connections, timeouts, transactions and errors."""

import os
import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError

from .idle_connections import check_idle_connections

BUSY_TIMEOUT_MS = 5_000
POOL_SIZE = 10
MAX_OVERFLOW = 30  # POOL_SIZE + MAX_OVERFLOW: the server has 40 threads
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
"""The server's timeouts: for waiting for locks, and for a client that is suspended or gone.

Without these timeouts, the open transaction of a lost client would keep its locks for hours.
"""
BEGIN = "wassay_begin"
"""The execution option that says how SQLite begins a transaction: `IMMEDIATE` or `DEFERRED`.

With `None` (to read) or `STATEMENT` (to write), SQLite begins none.
"""


def make_engine(url: str) -> Engine:
    """Create the engine for a SQLite or Postgres URL.

    Invalid statements raise `ProgrammingError`, and transient failures raise `OperationalError`.
    """
    options = {
        "pool_size": POOL_SIZE,
        "max_overflow": MAX_OVERFLOW,
        "pool_use_lifo": True,  # reuses few connections, so their statement caches stay warm
        "hide_parameters": True,  # in errors; they may be personal or secret
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
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


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
    """Create SQLite's file, unless it exists, with access for its owner only.

    SQLite's WAL files inherit these permissions.
    """
    if file and file != ":memory:":
        # Never open a file that exists: closing it would drop all POSIX locks that this process
        # holds on the file, including those of SQLite's other connections.
        with suppress(OSError):  # the file exists, or SQLite will report the error
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
