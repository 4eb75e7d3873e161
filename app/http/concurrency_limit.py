"""Limit how many requests of one caller are handled at a time, to leave threads for others."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

LONGEST_REST_SECONDS = 1.0


@dataclass
class _Slots:
    semaphore: anyio.Semaphore
    users: int = 0
    active: int = 0
    """How many requests wait or are handled; `users` also counts resting slots."""


class ConcurrencyLimit:
    """Limit how many requests with the same key are handled at a time; others wait in order.

    A key identifies a caller and has slots, of which each request holds one while it is handled.

    Parameters
    ----------
    limit
        How many slots each key has.
    rests
        Whether a slot stays empty after use for as long as it was held, at most
        `LONGEST_REST_SECONDS`. A key that has only one request at a time is exempt.
    """

    def __init__(
        self, limit: int, *, rests: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit = limit
        self._clock = clock
        self._rests = rests
        # Not locked: only the event loop's thread uses it.
        self._slots: dict[str, _Slots] = {}

    @asynccontextmanager
    async def slot(self, key: str) -> AsyncIterator[None]:
        """Wait for one of the slots of `key`, and hold it while the block runs."""
        slots = self._slots.setdefault(key, _Slots(anyio.Semaphore(self._limit)))
        slots.users += 1
        slots.active += 1
        try:
            await slots.semaphore.acquire()
        except BaseException:
            slots.active -= 1
            self._leave(key, slots)
            raise
        began, was_alone = self._clock(), slots.active == 1
        try:
            yield
        finally:
            slots.active -= 1
            # A client that waits for each response is never delayed. One that fills all slots gets
            # half of the time, or more if its requests take longer than the longest rest.
            if self._rests and (slots.active or not was_alone):
                rest = min(self._clock() - began, LONGEST_REST_SECONDS)
                asyncio.get_running_loop().call_later(rest, self._release, key, slots)
            else:
                self._release(key, slots)

    def _release(self, key: str, slots: _Slots) -> None:
        slots.semaphore.release()
        self._leave(key, slots)

    def _leave(self, key: str, slots: _Slots) -> None:
        slots.users -= 1
        if not slots.users:
            del self._slots[key]
