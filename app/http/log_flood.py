"""Keep repeated warnings out of the log, for example during an outage of the database."""

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

WINDOW_SECONDS = 60.0
LINES_A_WINDOW = 3
MAX_KINDS = 1000
TEXT_CHARACTERS = 40
"""How much of a text identifies a repetition: its end may differ by an id or an address."""


class RepeatedWarnings(logging.Filter):
    """Log at most `LINES_A_WINDOW` equal warnings and errors within `WINDOW_SECONDS`.

    Records are equal if they have the same logger, the same beginning of the text, and the same
    type and place of an exception.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._windows: dict[tuple[str, str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record; remove its traceback if it repeats an earlier one."""
        if not logging.WARNING <= record.levelno < logging.CRITICAL:
            return True
        # A record of structlog has a dict of fields in place of a text; its field `event` is the
        # text.
        event: dict[str, Any] | None = record.msg if isinstance(record.msg, dict) else None
        text = str(record.msg if event is None else event.get("event"))
        info = record.exc_info if event is None else event.get("exc_info")
        count, dropped = self._count((record.name, text[:TEXT_CHARACTERS], _place(info)))
        if count >= LINES_A_WINDOW:
            return False
        if event is None:
            if count:
                record.exc_info = None
                # Keep the first line, because libraries append tracebacks to their texts.
                record.msg, record.args = record.getMessage().partition("\n")[0], ()
            return True
        if count:
            event.pop("exc_info", None)
        # How many equal records were not logged in the window before.
        if dropped:
            event["dropped"] = dropped
        return True

    def _count(self, kind: tuple[str, str, str]) -> tuple[int, int]:
        """Count a record of a `kind`: the logger, the text's beginning and the error's place.

        Returns
        -------
        earlier
            How many records of the kind came before in this window.
        dropped
            For the first record of a window, how many were dropped in the window before; else 0.
        """
        now = self._clock()
        with self._lock:
            began, count = self._windows.get(kind, (now, 0))
            dropped = 0
            if now - began >= WINDOW_SECONDS:
                dropped = max(0, count - LINES_A_WINDOW)
                began, count = now, 0
            if len(self._windows) >= MAX_KINDS:
                self._windows.clear()
            self._windows[kind] = (began, count + 1)
        return count, dropped


def _place(info: Any) -> str:
    """Return the type of a record's exception and where it was raised, or "".

    `info` is the record's `exc_info`.
    """
    if info is True:
        info = sys.exc_info()
    error = info[1] if isinstance(info, tuple) else info
    if not isinstance(error, BaseException):
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    return type(error).__name__ + (f" {frames[-1].filename}:{frames[-1].lineno}" if frames else "")
