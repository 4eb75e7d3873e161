"""Check the version of SQLite, and define a function that older versions lack."""

import sqlite3
import time
from typing import Any

from sqlalchemy import Engine, event

from ..http.problems import Unavailable

OLDEST = (3, 35)
"""The first version of SQLite that has RETURNING, which dequeueing requires."""

WITH_MILLISECONDS = (3, 42)
"""The first version with unixepoch('subsec'), which the job library uses from Python 3.12 on."""


def require_sqlite() -> None:
    """Raise if this Python's SQLite is too old for the job library.

    Raises
    ------
    Unavailable
        If SQLite is older than `OLDEST`.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        raise Unavailable(
            f"expected SQLite {OLDEST[0]}.{OLDEST[1]} or newer, received "
            f"{sqlite3.sqlite_version}, which comes with this Python; use another Python, or "
            "Postgres (WASSAY_DATABASE_URL)"
        )


def supply_milliseconds() -> None:
    """Define unixepoch('subsec') on every SQLite connection of this process, if SQLite lacks it.

    The job library needs this function to enqueue and dequeue jobs.
    """
    # On every engine of this process, because the library creates engines of its own.
    if sqlite3.sqlite_version_info < WITH_MILLISECONDS:
        event.listen(Engine, "connect", _add_unixepoch)


def _add_unixepoch(connection: Any, _record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.create_function("unixepoch", 1, _unixepoch)


def _unixepoch(modifier: str) -> float:
    if modifier != "subsec":
        raise ValueError(f"expected unixepoch('subsec'), received unixepoch({modifier!r})")
    return time.time()
