"""Remember for a moment whether the store responds, so that many probes do not burden it."""

import threading
import time
from collections.abc import Callable

from .problems import StorageUnavailable

MEMORY_SECONDS = 2.0


class StoreProbe:
    """Check a store at most once every `MEMORY_SECONDS`, and in one thread at a time.

    Parameters
    ----------
    check
        Raises `StorageUnavailable` if the store cannot be used.
    """

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self._checking = threading.Lock()
        self._checked_at: float | None = None
        self._cause: str | None = None

    def cause(self) -> str | None:
        """Return why the store cannot be used, or None if it can.

        The answer may be that of the previous check.
        """
        # While another thread checks the store, return the previous result; wait if there is none.
        if not self._checking.acquire(blocking=self._checked_at is None):
            return self._cause
        try:
            last = self._checked_at
            if last is None or time.monotonic() - last >= MEMORY_SECONDS:
                self._cause = self._found()
                self._checked_at = time.monotonic()
            return self._cause
        finally:
            self._checking.release()

    def _found(self) -> str | None:
        try:
            self._check()
        except StorageUnavailable as error:
            return error.cause
        return None
