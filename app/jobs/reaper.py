"""The worker's supervision loop: time limits, cancellations, stale workers, old jobs.

The job library (DBOS) does not end a function that runs. It recovers the jobs of a worker only when
that worker starts again under the same id. And it leaves jobs pending that it claimed and could not
start, or whose end it could not store.
"""

import threading
import time
from datetime import timedelta

import structlog
from dbos import DBOS
from sqlalchemy.exc import SQLAlchemyError

from ..database import now
from .runner import JobRunner
from .schema import QUEUE
from .slots import Slots
from .worker_registry import WorkerRegistry

logger = structlog.stdlib.get_logger("wassay.jobs")

SUPERVISION_SECONDS = 0.25
STALE_SECONDS = 2.0
SLOT_PATIENCE_SECONDS = 0.5
"""How long a job waits here for a slot before another worker may take it."""
DELETION_SECONDS = 3600.0
RETENTION = timedelta(days=7)
DELETION_BATCH = 1000


def supervise(
    worker_id: str,
    registry: WorkerRegistry,
    runner: JobRunner,
    slots: Slots,
    stop: threading.Event,
) -> None:
    """Until `stop` is set, kill overdue and unwanted jobs, reap stale workers, delete old jobs."""
    reaper = StaleWorkerReaper(worker_id, registry, slots)
    deleted_at = time.monotonic() - DELETION_SECONDS
    unavailable = False
    while not stop.wait(SUPERVISION_SECONDS):
        runner.kill_overdue()
        try:
            runner.kill_unwanted()
            reaper.reap()
            if time.monotonic() - deleted_at >= DELETION_SECONDS:
                deleted_at = time.monotonic()
                delete_finished_jobs(RETENTION)
        except SQLAlchemyError:
            if not unavailable:
                logger.warning("the database does not respond; waiting", exc_info=True)
            unavailable = True
            reaper.reset()
        else:
            if unavailable:
                logger.warning("the database responds again")
            unavailable = False


class StaleWorkerReaper:
    """Requeues pending jobs that no worker computes.

    A worker is stale if its lock was free for `STALE_SECONDS` without a break. After an outage of
    the database every worker has lost its lock and needs a moment to acquire it again, so the
    measurement restarts. A job of this worker is stranded if its thread gave up, as the job
    library's does when it cannot store the job's end.
    """

    def __init__(self, worker_id: str, registry: WorkerRegistry, slots: Slots) -> None:
        self._worker_id = worker_id
        self._registry = registry
        self._slots = slots
        self._stale = Debounce(STALE_SECONDS)
        self._stranded = Debounce(STALE_SECONDS)

    def reap(self) -> None:
        """Requeue the jobs of stale workers, and this worker's stranded and waiting jobs."""
        if self._registry.renew():
            logger.warning("the worker's lock was lost and acquired again")
            self.reset()
        pending = DBOS.list_workflows(
            status="PENDING", queue_name=QUEUE, load_input=False, load_output=False
        )
        own = {job.workflow_id for job in pending if job.executor_id == self._worker_id}
        known = {job.executor_id for job in pending if job.executor_id is not None}
        others = known.union(self._registry.others()) - {self._worker_id}
        if stale := self._stale.persistent(others - self._registry.living_among(others)):
            logger.warning("taking over from vanished workers", worker_ids=stale)
            for worker_id in stale:
                with self._registry.take_over(worker_id) as is_successor:
                    if is_successor:
                        requeue_jobs_of(worker_id)
        if stranded := self._stranded.persistent(own - self._slots.active):
            logger.warning("requeueing stranded jobs", job_ids=stranded)
        waiting = self._slots.waiting(SLOT_PATIENCE_SECONDS)
        abandoned = self._slots.abandon({*stranded, *waiting})
        if own_abandoned := own.intersection(abandoned):  # others have taken over the rest
            DBOS.resume_workflows(list(own_abandoned), queue_name=QUEUE)

    def reset(self) -> None:
        """Restart the measurement of what is stale or stranded."""
        self._stale = Debounce(STALE_SECONDS)
        self._stranded = Debounce(STALE_SECONDS)


class Debounce:
    """Finds the names that persist over a series of observations."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[str, float] = {}

    def persistent(self, names: set[str]) -> list[str]:
        """Observe names; return those in every observation for the last `seconds`."""
        observed = time.monotonic()
        self._since = {name: self._since.get(name, observed) for name in names}
        return [name for name, since in self._since.items() if observed - since >= self._seconds]


def requeue_jobs_of(worker_id: str) -> None:
    """Requeue the pending jobs of a stale worker, whose lock the caller must hold.

    `resume_workflows` takes a job away even from a worker that runs it. The lock alone keeps other
    workers from having requeued the job, and begun it, since it was listed.
    """
    pending = DBOS.list_workflows(
        status="PENDING",
        queue_name=QUEUE,
        executor_id=worker_id,
        load_input=False,
        load_output=False,
    )
    DBOS.resume_workflows([job.workflow_id for job in pending], queue_name=QUEUE)


def delete_finished_jobs(older_than: timedelta) -> None:
    """Delete the job library's rows of jobs that ended long ago; they hold no results."""
    while old := DBOS.list_workflows(
        status=["SUCCESS", "ERROR", "CANCELLED"],
        queue_name=QUEUE,
        completed_before=(now() - older_than).isoformat(),
        limit=DELETION_BATCH,
        load_input=False,
        load_output=False,
    ):
        DBOS.delete_workflows([job.workflow_id for job in old])
