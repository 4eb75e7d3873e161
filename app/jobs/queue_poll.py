"""When a worker looks at the queue: often while it has jobs, else when it hears of new ones.

The job library (DBOS) looks at fixed intervals, which an idle worker would pay for. Between two
looks its thread waits for an event, which is all that we replace.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dbos import DBOS
from dbos._queue import queue_worker_thread
from sqlalchemy import Engine

from .queue_news import follow_queue
from .schema import QUEUE

LINGER_SECONDS = 1.0
"""How long a worker looks often after its last job, whose end the library has yet to store."""
QUIET_SECONDS = 5.0
"""How often an idle worker looks although it heard of no job, in case it missed one."""
STOP_SECONDS = 10.0


class Bell(threading.Event):
    """The event that ends the library's loop, whose every wait also ends when it rings.

    Parameters
    ----------
    is_busy
        Returns whether the worker has jobs. Then each wait lasts as long as the library asks,
        because a job's end is not announced.
    """

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        super().__init__()
        self._is_busy = is_busy
        self._busy_at = time.monotonic()
        self._rung = threading.Event()

    def ring(self) -> None:
        """End the current wait, or the next one, of an idle worker."""
        self._rung.set()

    def set(self) -> None:
        """End the loop."""
        super().set()
        self._rung.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the next look at the queue; return whether the loop shall end."""
        if self._is_busy():
            self._busy_at = time.monotonic()
        if time.monotonic() - self._busy_at < LINGER_SECONDS:
            return super().wait(timeout)
        self._rung.wait(QUIET_SECONDS)
        self._rung.clear()  # before the look: a job that is enqueued during it rings again
        return self.is_set()


@contextmanager
def polling(library: DBOS, engine: Engine, is_busy: Callable[[], bool]) -> Iterator[None]:
    """Dequeue jobs during the block, in place of the launched library's own threads.

    Its threads are stopped: they would look every second for delayed jobs, deadlines, schedules,
    and jobs of a queue of its own, none of which we have.
    """
    for event in library.background_thread_stop_events:
        event.set()
    library._background_jobs_stop_event.set()  # noqa: SLF001 - there is no public way
    queue = DBOS.retrieve_queue(QUEUE)
    bell = Bell(is_busy)
    threads = [
        threading.Thread(target=queue_worker_thread, args=(bell, library, queue), name="queue"),
        threading.Thread(target=follow_queue, args=(engine, bell.ring, bell), name="news"),
    ]
    for thread in threads:
        thread.daemon = True
        thread.start()
    try:
        yield
    finally:
        bell.set()
        for thread in threads:
            thread.join(STOP_SECONDS)
