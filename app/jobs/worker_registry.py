"""Which workers are alive: each holds its lock and has a row that says what it is.

The job library (DBOS) writes to a job's row which worker has it, and keeps nothing of the worker.
"""

import os
import socket
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from ..database import Database, now
from .liveness import living_among, lock_of
from .models import Worker

PATIENCE_SECONDS = 3.0
PAUSE_SECONDS = 0.1
SILENT_SECONDS = 10.0
"""From when on a worker may be frozen: one that is not asks for its lock four times a second."""


class WorkerIdTaken(Exception):  # noqa: N818 - it is a refusal, and says what to do
    """A living worker has this id."""

    def __init__(self, worker_id: str, holder: Worker | None) -> None:
        where = "" if holder is None else f" (process {holder.pid} on {holder.host})"
        super().__init__(
            f"A worker named {worker_id} is alive already{where}. Stop it first, or start this "
            "one with another WASSAY_WORKER_ID, or with none."
        )


@dataclass(frozen=True)
class LivingWorker:
    """A worker that is alive, and for how many seconds nothing was heard of it."""

    id: str
    host: str
    pid: int
    concurrency: int
    started_at: datetime
    silent_seconds: float

    @property
    def is_silent(self) -> bool:
        """Whether it may be frozen."""
        return self.silent_seconds >= SILENT_SECONDS


def living_workers(session: Session) -> list[LivingWorker]:
    """Return the workers that are alive, by id."""
    workers = {worker.id: worker for worker in session.scalars(select(Worker).order_by(Worker.id))}
    return [
        LivingWorker(
            id=name,
            host=workers[name].host,
            pid=workers[name].pid,
            concurrency=workers[name].concurrency,
            started_at=workers[name].started_at,
            silent_seconds=silence,
        )
        for name, silence in living_among(session.connection(), list(workers)).items()
    ]


class Presence:
    """One worker's being there.

    Parameters
    ----------
    database
        Whose workers know of each other.
    worker_id
        Unique among the living.
    concurrency
        How many jobs it computes at the same time, for others to read.
    """

    def __init__(self, database: Database, worker_id: str, concurrency: int) -> None:
        self._database = database
        self._worker_id = worker_id
        self._concurrency = concurrency
        self._lock = lock_of(database.engine, worker_id)
        self._started_at = now()
        self._has_row = False

    def enter(self) -> None:
        """Take this worker's lock, and say who holds it.

        Raises
        ------
        WorkerIdTaken
            Another worker holds it, and does not end within `PATIENCE_SECONDS`.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._lock.lost() and not self._lock.acquire():
            if time.monotonic() > deadline:
                with self._database.snapshot() as session:
                    raise WorkerIdTaken(self._worker_id, session.get(Worker, self._worker_id))
            time.sleep(PAUSE_SECONDS)
        with self._database.transaction() as session:
            session.merge(
                Worker(
                    id=self._worker_id,
                    host=socket.gethostname(),
                    pid=os.getpid(),
                    concurrency=self._concurrency,
                    started_at=self._started_at,
                )
            )
        self._has_row = True

    def renewed(self) -> bool:
        """Tell whether the lock had been lost, and is held again.

        Raises
        ------
        WorkerIdTaken
            Another worker took it meanwhile.
        """
        if self._lock.lost():
            self._has_row = False  # others may have removed it
        if self._has_row:
            return False
        self.enter()
        return True

    def living_among(self, worker_ids: Collection[str]) -> set[str]:
        """Return those of the workers that are alive."""
        with self._database.snapshot() as session:
            return set(living_among(session.connection(), list(worker_ids)))

    def others(self) -> list[str]:
        """Return the ids of all other workers that have not left, alive or not."""
        with self._database.snapshot() as session:
            return list(session.scalars(select(Worker.id).where(Worker.id != self._worker_id)))

    @contextmanager
    def in_place_of(self, worker_id: str) -> Iterator[bool]:
        """Hold the lock of a worker that vanished, and remove its row and the lock at the end.

        Yields
        ------
        bool
            False where the lock is held: the worker came back, or another worker takes over.
        """
        lock = lock_of(self._database.engine, worker_id)
        if not lock.acquire():
            yield False
            return
        try:
            yield True
            self._remove_row(worker_id)
        finally:
            lock.release()

    def leave(self) -> None:
        """Say that this worker has gone, and give its lock back.

        Where the lock was lost, the row may be of another that took it meanwhile; if it is this
        worker's, others remove it.
        """
        if not self._lock.lost():
            self._remove_row(self._worker_id)
            self._lock.release()

    def _remove_row(self, worker_id: str) -> None:
        with self._database.transaction() as session:
            session.execute(delete(Worker).where(Worker.id == worker_id))
