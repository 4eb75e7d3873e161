"""The slots of a worker, and the dequeued jobs that wait for one."""

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

# With one job per slot, a slot would stay empty while its last job is published, because the queue
# (DBOS) still counts that job as running.
JOBS_PER_SLOT = 3
"""How many jobs a worker dequeues per slot: one is computed, while others wait or are published."""


# Not an `Exception`, so that no handler records this as the job's outcome.
class JobAbandoned(BaseException):
    """The worker leaves the job to another: it stops, has no free slot in time, or has a fault."""


@dataclass(eq=False)
class WaitingJob:
    """A dequeued job that waits for a slot."""

    job_id: str
    since: float = field(default_factory=time.monotonic)
    abandoned: bool = False


class Slot:
    """A job's slot, which is occupied while the job is computed, and free while it is published."""

    def __init__(self, slots: "Slots") -> None:
        self._slots = slots
        self._occupied = True

    def free(self) -> None:
        """Free the slot for another job. Freeing it again changes nothing."""
        if self._occupied:
            self._occupied = False
            self._slots.add_free()


class Slots:
    """A fixed number of slots, each for one job at a time."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: set[WaitingJob] = set()
        self._active: set[str] = set()
        self._closed = False
        self._suspended = False
        self._changed = threading.Condition()
        self._on_leave: Callable[[], None] = lambda: None

    def call_when_jobs_leave(self, function: Callable[[], None]) -> None:
        """Call a function whenever a job's result has been published, or a job was abandoned."""
        self._on_leave = function

    @contextmanager
    def slot_for(self, job_id: str, meanwhile: Callable[[], None] = lambda: None) -> Iterator[Slot]:
        """Wait for a slot, and count the job as active while the block runs.

        Parameters
        ----------
        job_id
            The id of the job.
        meanwhile
            Called first, while the job counts as waiting.

        Raises
        ------
        JobAbandoned
            If the worker stops, or if the job was abandoned while it waited.
        """
        try:
            self._enter(WaitingJob(job_id), meanwhile)
            slot = Slot(self)
            try:
                yield slot
            finally:
                slot.free()
                with self._changed:
                    self._active.remove(job_id)
        finally:
            self._on_leave()

    def waiting(self, seconds: float) -> list[str]:
        """Return the ids of jobs that have waited for at least `seconds`, except abandoned jobs."""
        latest = time.monotonic() - seconds
        with self._changed:
            return [
                waiting.job_id
                for waiting in self._waiting
                if waiting.since <= latest and not waiting.abandoned
            ]

    def abandon(self, job_ids: Collection[str]) -> list[str]:
        """Abandon the given jobs that still wait for a slot.

        Return the ids that the caller can forget: all but those of jobs that are being computed or
        published.
        """
        with self._changed:
            for waiting in self._waiting:
                waiting.abandoned = waiting.abandoned or waiting.job_id in job_ids
            return [job_id for job_id in job_ids if job_id not in self._active]

    @property
    def busy(self) -> bool:
        """Whether any job waits for a slot, or is being computed or published."""
        with self._changed:
            return bool(self._waiting or self._active)

    @property
    def active(self) -> frozenset[str]:
        """The ids of the jobs that are being computed or published."""
        with self._changed:
            return frozenset(self._active)

    def suspend(self) -> None:
        """Give out no slots until `resume`. Jobs that have a slot keep it."""
        with self._changed:
            self._suspended = True

    def resume(self) -> None:
        """Give out slots again."""
        with self._changed:
            self._suspended = False
            self._changed.notify_all()

    def close(self) -> None:
        """Abandon all waiting jobs, and give out no more slots."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def add_free(self) -> None:
        """Add a free slot for the next job. Called by `Slot.free`."""
        with self._changed:
            self._free += 1
            self._changed.notify_all()

    def _enter(self, waiting: WaitingJob, meanwhile: Callable[[], None]) -> None:
        with self._changed:
            self._waiting.add(waiting)
        try:
            meanwhile()
        except BaseException:
            with self._changed:
                self._waiting.remove(waiting)
            raise
        with self._changed:
            # An abandoned job waits on, so that this worker dequeues no other job in its place.
            self._changed.wait_for(lambda: self._closed or (self._free > 0 and not self._suspended))
            self._waiting.remove(waiting)
            if self._closed or waiting.abandoned:
                raise JobAbandoned
            self._free -= 1
            self._active.add(waiting.job_id)
