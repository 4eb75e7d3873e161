"""The registry of workers: each living worker holds a lock, and has a row that describes it."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CompoundSelect, delete, null, select, union_all, update
from sqlalchemy.orm import Session

from ..database import Database, database_time
from .liveness import liveness_lock, living_among
from .models import Worker
from .queue import select_pending_jobs

PATIENCE_SECONDS = 3.0
PAUSE_SECONDS = 0.1
SILENT_SECONDS = 10.0
"""After this many seconds without a heartbeat, a worker may be frozen.

A worker sends a heartbeat at least once a second.
"""


class WorkerIdTaken(Exception):  # noqa: N818 - a refusal
    """A living worker has this id already."""

    def __init__(self, worker_id: str, holder: Worker | None) -> None:
        where = "" if holder is None else f" (process {holder.pid} on {holder.host})"
        super().__init__(
            f"Expected a worker id that no living worker has; {worker_id} belongs to "
            f"another{where}. Stop that worker first, or start this one with another "
            "WASSAY_WORKER_ID, or with none."
        )


@dataclass(frozen=True)
class LivingWorker:
    """A living worker, with the seconds since its last heartbeat.

    `fault` states why the worker is out of service; None if it takes jobs.
    """

    id: str
    host: str
    pid: int
    concurrency: int
    started_at: datetime
    silent_seconds: float
    fault: str | None

    @property
    def is_silent(self) -> bool:
        """Whether the last heartbeat is at least `SILENT_SECONDS` old: the worker may be frozen."""
        return self.silent_seconds >= SILENT_SECONDS


def living_workers(session: Session) -> list[LivingWorker]:
    """Return the living workers, ordered by id."""
    workers = {worker.id: worker for worker in session.scalars(select(Worker).order_by(Worker.id))}
    return [
        LivingWorker(
            id=name,
            host=workers[name].host,
            pid=workers[name].pid,
            concurrency=workers[name].concurrency,
            started_at=workers[name].started_at,
            silent_seconds=silence,
            fault=workers[name].fault,
        )
        for name, silence in living_among(session.connection(), list(workers)).items()
    ]


@dataclass(frozen=True)
class Observation:
    """One worker's view of the queue and of other workers.

    Attributes
    ----------
    own_jobs
        The ids of the jobs that this worker has dequeued and not finished.
    others
        The ids of all other workers that are registered, or have dequeued an unfinished job.
    living
        The ids of the other workers that are alive.
    """

    own_jobs: list[str]
    others: set[str]
    living: set[str]


class WorkerRegistry:
    """The registry of a database's workers, as one of the workers uses it.

    Parameters
    ----------
    database
        The database with the workers' rows and, on Postgres, their locks.
    worker_id
        The id of this worker, which no other living worker may have.
    concurrency
        How many jobs this worker computes at the same time, for others to read.
    """

    def __init__(self, database: Database, worker_id: str, concurrency: int) -> None:
        self._database = database
        self._worker_id = worker_id
        self._concurrency = concurrency
        self._lock = liveness_lock(database.engine, worker_id)
        workers = select(Worker.id, null())
        self._observed: CompoundSelect[str, str | None] = union_all(
            select_pending_jobs(database.engine.dialect), workers
        )
        self._started_at: datetime | None = None
        self._has_row = False
        self._fault: str | None = None

    def register(self) -> None:
        """Acquire this worker's lock, and write its row.

        Raises
        ------
        WorkerIdTaken
            If another worker holds the lock for longer than `PATIENCE_SECONDS`.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._lock.heartbeat() and not self._lock.acquire():
            if time.monotonic() > deadline:
                with self._database.snapshot() as session:
                    raise WorkerIdTaken(self._worker_id, session.get(Worker, self._worker_id))
            time.sleep(PAUSE_SECONDS)
        with self._database.transaction() as session:
            self._started_at = self._started_at or database_time(session)
            session.merge(
                Worker(
                    id=self._worker_id,
                    host=socket.gethostname(),
                    pid=os.getpid(),
                    concurrency=self._concurrency,
                    started_at=self._started_at,
                    fault=self._fault,
                )
            )
        self._has_row = True

    def report(self, fault: str | None) -> None:
        """Store why this worker is out of service, or None if it is in service."""
        self._fault = fault
        with self._database.transaction() as session:
            session.execute(update(Worker).where(Worker.id == self._worker_id).values(fault=fault))

    def renew(self) -> bool:
        """Send a heartbeat; return False. If the lock was lost, register again, and return True.

        Raises
        ------
        WorkerIdTaken
            If another worker has acquired the lock.
        """
        if not self._lock.heartbeat():
            self._has_row = False  # other workers may have removed the row
        if self._has_row:
            return False
        self.register()
        return True

    def observe(self) -> "Observation":
        """Return this worker's jobs, all other workers, and which other workers are alive."""
        own_jobs: list[str] = []
        others: set[str] = set()
        with self._database.look() as connection:
            for worker_id, job_id in connection.execute(self._observed):
                if worker_id != self._worker_id:
                    others.add(worker_id)
                elif job_id is not None:
                    own_jobs.append(job_id)
            living = set(living_among(connection, list(others))) if others else set()
        return Observation(own_jobs, others, living)

    @contextmanager
    def take_over(self, worker_id: str) -> Iterator[bool]:
        """Hold the lock of a vanished worker while the block runs, then deregister that worker.

        Yields
        ------
        bool
            Whether this worker got the lock. If not, the vanished worker is alive again or a third
            worker takes over, and nothing is deregistered.
        """
        lock = liveness_lock(self._database.engine, worker_id)
        if not lock.acquire():
            yield False
            return
        try:
            yield True
            self._remove_row(worker_id)
        finally:
            lock.release()

    def deregister(self) -> None:
        """Remove this worker's row, and release its lock; keep the row if the lock was lost."""
        # Another worker with the same id may have written a row that is kept. If not, other workers
        # will remove the row.
        if self._lock.heartbeat():
            self._remove_row(self._worker_id)
            self._lock.release()

    def _remove_row(self, worker_id: str) -> None:
        with self._database.transaction() as session:
            session.execute(delete(Worker).where(Worker.id == worker_id))
