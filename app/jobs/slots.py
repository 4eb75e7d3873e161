"""The places that a worker computes in, and the jobs that it took before one was free.

The queue (DBOS) counts a job until it is published, and looks for the next one only from time to
time, so its own limit would leave places empty for as long.
"""

import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


class JobLeft(BaseException):
    """The job is left as it is, for another to take: this worker stops, or has no place for it.

    Not an `Exception`, so that nobody on the way takes it for an outcome and records it.
    """


@dataclass(eq=False)
class Waiting:
    """A job that was taken and waits for a place."""

    job_id: str
    since: float = field(default_factory=time.monotonic)
    given_up: bool = False


class Place:
    """What a job holds of a worker: while `computing` one of its places, then no more than itself.

    A job that only has to be published leaves its place to the next.
    """

    def __init__(self, places: "Places") -> None:
        self._places = places
        self.computing = True

    def free(self) -> None:
        """Leave the place to another job; again changes nothing."""
        if self.computing:
            self.computing = False
            self._places.give_back()


class Places:
    """So many places, each for one job at a time.

    More jobs are taken than there are places, so that one that becomes free need not wait for the
    queue. A job that waits here for long keeps no other worker from it: `give_up` lets go of it.
    What waited for it then still counts as busy, so that this worker does not take another, until
    a place is free.
    """

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: set[Waiting] = set()
        self._held: set[str] = set()
        self._closed = False
        self._changed = threading.Condition()

    @contextmanager
    def place_for(self, job_id: str) -> Iterator[Place]:
        """Wait for a place, and hold the job until the block is left.

        Raises
        ------
        JobLeft
            The worker stops, or the job was given up.
        """
        self._enter(Waiting(job_id))
        place = Place(self)
        try:
            yield place
        finally:
            place.free()
            with self._changed:
                self._held.remove(job_id)

    def waiting(self, seconds: float) -> list[str]:
        """Return the ids of the jobs that have waited for so long, and were not given up."""
        latest = time.monotonic() - seconds
        with self._changed:
            return [
                waiting.job_id
                for waiting in self._waiting
                if waiting.since <= latest and not waiting.given_up
            ]

    def give_up(self, job_ids: Collection[str]) -> list[str]:
        """Let go of those of the jobs that wait for a place; return all that nobody holds here."""
        with self._changed:
            for waiting in self._waiting:
                waiting.given_up = waiting.given_up or waiting.job_id in job_ids
            return [job_id for job_id in job_ids if job_id not in self._held]

    @property
    def held(self) -> frozenset[str]:
        """The ids of the jobs that have a place, or are published."""
        with self._changed:
            return frozenset(self._held)

    def close(self) -> None:
        """Let go of every job that waits; none gets a place from here on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def give_back(self) -> None:
        """Have one place more, for the next job; called by `Place.free`."""
        with self._changed:
            self._free += 1
            self._changed.notify_all()

    def _enter(self, waiting: Waiting) -> None:
        with self._changed:
            self._waiting.add(waiting)
            self._changed.wait_for(lambda: self._closed or self._free > 0)
            self._waiting.remove(waiting)
            if self._closed or waiting.given_up:
                raise JobLeft
            self._free -= 1
            self._held.add(waiting.job_id)
