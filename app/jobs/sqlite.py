"""What the job library asks of SQLite by Python's version, whatever SQLite's own is."""

import sqlite3
import time
from typing import Any

from sqlalchemy import Engine, event

from ..kit.problems import Unavailable

OLDEST = (3, 35)
"""Knows RETURNING, without which no job can be taken."""

WITH_MILLISECONDS = (3, 42)
"""Knows unixepoch('subsec'), which the job library uses from Python 3.12 on."""


def require_sqlite() -> None:
    """Raise if this Python's SQLite is too old for the job library.

    Raises
    ------
    Unavailable
    """
    if sqlite3.sqlite_version_info < OLDEST:
        raise Unavailable(
            f"expected SQLite {OLDEST[0]}.{OLDEST[1]} or newer, this Python has "
            f"{sqlite3.sqlite_version}: use another Python, or Postgres (WASSAY_DATABASE_URL)"
        )


def supply_milliseconds() -> None:
    """Let every SQLite connection of this process know unixepoch('subsec').

    An older SQLite answers NULL: no job could be enqueued, or none would ever be taken. The job
    library makes some engines of its own, so it is not enough to prepare ours.
    """
    if sqlite3.sqlite_version_info < WITH_MILLISECONDS:
        event.listen(Engine, "connect", _add_unixepoch)


def _add_unixepoch(connection: Any, _record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.create_function("unixepoch", 1, _unixepoch)


def _unixepoch(modifier: str) -> float:
    if modifier != "subsec":
        raise ValueError(f"only unixepoch('subsec') is known, not unixepoch({modifier!r})")
    return time.time()
