"""Limit how many requests of one API key are handled at a time, so that others have threads."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio


@dataclass
class _Slots:
    semaphore: anyio.Semaphore
    users: int = 0


class ConcurrencyLimit:
    """Counts the requests that are being handled, by API key; further ones wait in order.

    Use it on the event loop only: it has no lock.

    Parameters
    ----------
    limit
        How many requests of one key are handled at a time.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._slots: dict[str, _Slots] = {}

    @asynccontextmanager
    async def slot(self, key: str) -> AsyncIterator[None]:
        """Wait for a slot of a key, whether or not it is valid, and hold it in the block."""
        slots = self._slots.setdefault(key, _Slots(anyio.Semaphore(self._limit)))
        slots.users += 1
        try:
            async with slots.semaphore:
                yield
        finally:
            slots.users -= 1
            if not slots.users:
                del self._slots[key]
