"""Tell workers at once that jobs were enqueued, so that they need not poll all the time."""

import select
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Any

import structlog
from sqlalchemy import Engine, func
from sqlalchemy import select as query
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

logger = structlog.stdlib.get_logger("wassay.jobs")

CHANNEL = "wassay_jobs"
FILE_SECONDS = 0.1
"""How often a worker on SQLite checks whether another connection has written to the file."""
STOP_SECONDS = 0.25
RETRY_SECONDS = 1.0


def announce(session: Session) -> None:
    """Tell all workers to poll the queue once the session's transaction has committed.

    On SQLite, do nothing, because workers notice the commit themselves.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(query(func.pg_notify(CHANNEL, "")))


def follow_queue(engine: Engine, wake: Callable[[], None], stop: threading.Event) -> None:
    """Call `wake` whenever jobs may have been enqueued, until `stop` is set.

    While the database does not respond, call `wake` once a second.
    """
    follow = _listen if engine.dialect.name == "postgresql" else _watch_file
    while not stop.is_set():
        try:
            follow(engine, wake, stop)
        except (SQLAlchemyError, engine.dialect.loaded_dbapi.Error):
            logger.debug("no news of the queue; the database does not respond", exc_info=True)
            wake()
            stop.wait(RETRY_SECONDS)


def _listen(engine: Engine, wake: Callable[[], None], stop: threading.Event) -> None:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        session: Any = connection.connection.driver_connection
        connection.detach()
        connection.exec_driver_sql(f"LISTEN {CHANNEL}")
        wake()  # jobs may have been enqueued before
        while not stop.is_set():
            readable, _, _ = select.select([session], [], [], STOP_SECONDS)
            if readable:
                for _ in session.notifies(timeout=0):  # raises if the connection broke
                    pass
                wake()


def _watch_file(engine: Engine, wake: Callable[[], None], stop: threading.Event) -> None:
    with closing(engine.raw_connection()) as connection:
        connection.detach()
        cursor = connection.cursor()
        known = None
        while not stop.wait(FILE_SECONDS):
            # Takes microseconds; the value changes when another connection commits.
            cursor.execute("PRAGMA data_version")
            version = cursor.fetchone()
            if version != known:
                known = version
                wake()
