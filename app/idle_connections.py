"""Check a pooled connection before use, unless it was used a moment ago."""

import time
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError

CHECKED_AFTER_SECONDS = 1.0
"""A connection is checked if it was last used longer ago than this."""
USED_AT = "wassay_used_at"


def check_idle_connections(engine: Engine) -> None:
    """Make an engine's pool replace connections that broke while they were idle."""

    @event.listens_for(engine, "checkin")
    def _note_use(_connection: object, record: Any) -> None:
        record.info[USED_AT] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _check(connection: Any, record: Any, _proxy: object) -> None:
        used_at = record.info.pop(USED_AT, None)
        if used_at is None or time.monotonic() - used_at < CHECKED_AFTER_SECONDS:
            # It is new or most likely works, and a check, as by `pool_pre_ping`, is a round trip.
            return
        with suppress(engine.dialect.loaded_dbapi.Error):
            engine.dialect.do_ping(connection)
            return
        raise InvalidatePoolError  # the pool then replaces all connections that are as old
