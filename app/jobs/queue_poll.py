"""Decide when a worker polls the queue: often while it has jobs, otherwise when jobs are announced.

The job library (DBOS) polls at fixed intervals, which is wasted work while there are no jobs.
Between two polls, the library's thread waits for an event. We replace only that event.
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
"""How long a worker polls often after its last job, whose end the library may still have to store.
"""
QUIET_SECONDS = 5.0
"""How often an idle worker polls without an announcement, in case it missed one."""
STOP_SECONDS = 10.0


class PollEvent(threading.Event):
    """The event that the library's loop waits for between two polls; `set` ends the loop.

    While the worker has jobs, and for `LINGER_SECONDS` after that, a wait lasts as long as the
    library asks. While the worker is idle, a wait lasts until `wake` is called, but at most
    `QUIET_SECONDS`.

    Parameters
    ----------
    is_busy
        Returns whether the worker has jobs.
    """

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        super().__init__()
        self._is_busy = is_busy
        self._busy_at = time.monotonic()
        self._woken = threading.Event()

    def wake(self) -> None:
        """End an idle worker's current wait, or its next one if it does not wait now."""
        self._woken.set()

    def set(self) -> None:
        """End the library's loop."""
        super().set()
        self._woken.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the worker should poll the queue again; return whether the loop should end.

        While the worker has jobs, and for `LINGER_SECONDS` after that, the wait lasts `timeout`
        seconds. An idle worker ignores `timeout`.
        """
        if self._is_busy():
            self._busy_at = time.monotonic()
        if time.monotonic() - self._busy_at < LINGER_SECONDS:
            return super().wait(timeout)
        self._woken.wait(QUIET_SECONDS)
        # Clear the event before the poll, so that a job enqueued during the poll ends the next
        # wait.
        self._woken.clear()
        return self.is_set()


@contextmanager
def polling(library: DBOS, engine: Engine, is_busy: Callable[[], bool]) -> Iterator[None]:
    """Dequeue jobs while the block runs, in place of the launched library's own threads.

    The library's threads are stopped. They would look every second for delayed jobs, deadlines,
    schedules and jobs of an internal queue, none of which we use. `is_busy` returns whether the
    worker has jobs.
    """
    for event in library.background_thread_stop_events:
        event.set()
    library._background_jobs_stop_event.set()  # noqa: SLF001 - there is no public way
    queue = DBOS.retrieve_queue(QUEUE)
    poll_event, stop = PollEvent(is_busy), threading.Event()
    threads = [
        threading.Thread(
            target=queue_worker_thread, args=(poll_event, library, queue), name="queue"
        ),
        threading.Thread(target=follow_queue, args=(engine, poll_event.wake, stop), name="news"),
    ]
    for thread in threads:
        thread.daemon = True
        thread.start()
    try:
        yield
    finally:
        stop.set()
        poll_event.set()
        for thread in threads:
            thread.join(STOP_SECONDS)
