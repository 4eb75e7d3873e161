"""Decide when a worker polls the queue: often after a job has ended, else when told of jobs."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from dbos import DBOS
from dbos._queue import queue_worker_thread
from sqlalchemy import Engine

from .library_tables import QUEUE
from .queue_news import follow_queue
from .slots import Slots

POLL_SECONDS = 0.05
"""How often the library polls the queue while a worker polls often."""
# The library stores the end of a job a bit later, without an announcement. Only then may it dequeue
# another job.
LINGER_SECONDS = 1.0
"""How long a worker polls often after a job has ended."""
UNANNOUNCED_POLL_SECONDS = 5.0
"""How often a worker polls without an announcement, in case it missed one."""
STOP_SECONDS = 10.0


# The job library (DBOS) polls at fixed intervals. We replace only the event that its thread waits
# for.
class PollEvent(threading.Event):
    """The event that the library's loop waits for between two polls; `set` ends the loop.

    Waits are short for `LINGER_SECONDS` after a job has ended, and long at other times.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ended_at = time.monotonic()
        self._woken = threading.Event()

    def wake(self) -> None:
        """End the current long wait or, if there is none, the next one."""
        self._woken.set()

    def job_ended(self) -> None:
        """End the current long wait, and make waits short for the next `LINGER_SECONDS`."""
        self._ended_at = time.monotonic()
        self._woken.set()

    def set(self) -> None:
        """End the library's loop."""
        super().set()
        self._woken.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the worker should poll the queue again; return whether the loop should end.

        `timeout` is the length of a short wait; a long wait ignores it.
        """
        if time.monotonic() - self._ended_at < LINGER_SECONDS:
            return super().wait(timeout)
        self._woken.wait(UNANNOUNCED_POLL_SECONDS)
        # Clear the event before the poll, so that a job enqueued during the poll ends the next
        # wait.
        self._woken.clear()
        return self.is_set()


@contextmanager
def polling(library: DBOS, engine: Engine, slots: Slots) -> Iterator[None]:
    """Dequeue jobs while the block runs, in place of the launched library's own threads."""
    # The library's threads look every second for delayed jobs, deadlines, schedules and jobs of an
    # internal queue, none of which we use.
    for event in library.background_thread_stop_events:
        event.set()
    library._background_jobs_stop_event.set()  # noqa: SLF001 - there is no public way
    queue = DBOS.retrieve_queue(QUEUE)
    poll_event, stop = PollEvent(), threading.Event()
    slots.call_when_jobs_leave(poll_event.job_ended)
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
