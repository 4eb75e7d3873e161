"""What a worker looks after while its jobs run: the clock, cancellations, and the other workers."""

import threading
import time
from datetime import timedelta

import structlog
from dbos import DBOS
from sqlalchemy.exc import SQLAlchemyError

from app.database import now
from app.jobs.presence import Presence
from app.jobs.runner import JobRunner
from app.jobs.schema import QUEUE

logger = structlog.stdlib.get_logger("wassay.jobs")

WATCH_SECONDS = 0.25
ABSENT_SECONDS = 2.0
SWEEP_SECONDS = 3600.0
KEPT_FINISHED = timedelta(days=7)
SWEPT_AT_ONCE = 1000


def watch(worker_id: str, presence: Presence, runner: JobRunner, stop: threading.Event) -> None:
    """Until `stop`: end what is overdue or no longer wanted, take over, clear away what is old."""
    succession = Succession(worker_id, presence)
    swept = time.monotonic() - SWEEP_SECONDS
    while not stop.wait(WATCH_SECONDS):
        runner.end_overdue()
        try:
            runner.end_unwanted()
            succession.look()
            if time.monotonic() - swept >= SWEEP_SECONDS:
                swept = time.monotonic()
                forget_finished_jobs(KEPT_FINISHED)
        except SQLAlchemyError:
            logger.warning("the database did not answer", exc_info=True)


class Succession:
    """Takes over from workers that vanished.

    A worker counts as vanished when its lock was free for `ABSENT_SECONDS` in a row. Where the
    database was away, every worker lost its lock and needs a moment to take it again, so the
    counting begins anew.
    """

    def __init__(self, worker_id: str, presence: Presence) -> None:
        self._worker_id = worker_id
        self._presence = presence
        self._absent_since: dict[str, float] = {}

    def look(self) -> None:
        """Look who is there, and put the jobs of who vanished back in the queue."""
        if self._presence.renewed():
            logger.warning("the worker's lock was lost and taken again")
            self._absent_since = {}
        known = {*self._presence.others(), *workers_with_jobs()} - {self._worker_id}
        absent = known - self._presence.living_among(known)
        seen = time.monotonic()
        self._absent_since = {name: self._absent_since.get(name, seen) for name in absent}
        vanished = [
            name for name, since in self._absent_since.items() if seen - since >= ABSENT_SECONDS
        ]
        if vanished:
            logger.warning("taking over from vanished workers", worker_ids=vanished)
            take_over_from(vanished)
            self._presence.forget(vanished)


def workers_with_jobs() -> set[str]:
    """Return the ids of the workers that have taken jobs and not finished them."""
    begun = DBOS.list_workflows(
        status="PENDING", queue_name=QUEUE, load_input=False, load_output=False
    )
    return {job.executor_id for job in begun if job.executor_id is not None}


def take_over_from(worker_ids: list[str]) -> None:
    """Put the jobs of these workers back in the queue.

    Its condition is part of the update, so that several workers may do so at once. The public way
    (`resume_workflows`) has none: it would also take a job from the worker that just began it.
    """
    DBOS._recover_pending_workflows(worker_ids)  # noqa: SLF001 - pinned exactly, held by a test


def forget_finished_jobs(older_than: timedelta) -> None:
    """Delete what the job library keeps of jobs that ended long ago; results are not there."""
    while old := DBOS.list_workflows(
        status=["SUCCESS", "ERROR", "CANCELLED"],
        queue_name=QUEUE,
        completed_before=(now() - older_than).isoformat(),
        limit=SWEPT_AT_ONCE,
        load_input=False,
        load_output=False,
    ):
        DBOS.delete_workflows([job.workflow_id for job in old])
