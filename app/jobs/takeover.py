"""Take over the jobs of vanished workers, and requeue jobs that this worker cannot run."""

import math
import time

import structlog
from dbos import DBOS, DBOSClient

from ..database import Database
from .library_tables import QUEUE
from .queue_news import announce
from .slots import Slots
from .worker_registry import WorkerRegistry

logger = structlog.stdlib.get_logger("wassay.jobs")

IDLE_TAKEOVER_SECONDS = 1.0
"""How often an idle worker looks for jobs that no worker computes, and sends a heartbeat."""
VANISHED_SECONDS = 2.0
"""How long a worker's lock must be free before others take over its jobs."""
STRANDED_SECONDS = 2.0
"""After how long a dequeued job is stranded if it is neither computed nor published."""
SLOT_PATIENCE_SECONDS = 0.5
"""How many seconds a job waits for one of this worker's slots before another worker may take it."""


class Takeover:
    """Requeue the pending jobs that no worker computes."""

    def __init__(
        self, worker_id: str, database: Database, registry: WorkerRegistry, slots: Slots
    ) -> None:
        self._worker_id = worker_id
        self._database = database
        self._registry = registry
        self._slots = slots
        self._vanished = Debounce(VANISHED_SECONDS)
        self._stranded = Debounce(STRANDED_SECONDS)
        self._taken_over_at = -math.inf

    def take_over_if_due(self) -> None:
        """Call `take_over`; while all is quiet, only once in `IDLE_TAKEOVER_SECONDS`.

        All is quiet if this worker has no jobs, and no other worker seems to have vanished.
        """
        is_quiet = not (self._slots.busy or self._vanished.suspects or self._stranded.suspects)
        if not is_quiet or time.monotonic() - self._taken_over_at >= IDLE_TAKEOVER_SECONDS:
            self.take_over()
            self._taken_over_at = time.monotonic()

    def take_over(self) -> None:
        """Requeue the jobs of vanished workers, and this worker's stranded and waiting jobs.

        A job is stranded if it is neither computed nor published for `STRANDED_SECONDS`, and
        waiting after `SLOT_PATIENCE_SECONDS` without a slot.
        """
        if self._registry.renew():
            # After an outage of the database, every worker has lost its lock.
            logger.warning("the worker's lock was lost and acquired again")
            self.reset()
        observed = self._registry.observe()
        own = set(observed.own_jobs)
        if vanished := self._vanished.persistent(observed.others - observed.living):
            logger.warning("taking over from vanished workers", worker_ids=vanished)
            # The library recovers jobs only when a worker with the same id starts again.
            for worker_id in vanished:
                with self._registry.take_over(worker_id) as is_successor:
                    if is_successor:
                        requeue_jobs_of(worker_id)
                        self._announce()
        # The job library (DBOS) leaves a job pending if it cannot start the job or store its end.
        if stranded := self._stranded.persistent(own - self._slots.active):
            logger.warning("requeueing stranded jobs", job_ids=stranded)
        waiting = self._slots.waiting(SLOT_PATIENCE_SECONDS)
        abandoned = self._slots.abandon({*stranded, *waiting})
        if own_abandoned := own.intersection(abandoned):  # others took over the rest
            DBOS.resume_workflows(list(own_abandoned), queue_name=QUEUE)
            self._announce()

    def _announce(self) -> None:
        with self._database.transaction() as session:
            announce(session)

    def reset(self) -> None:
        """Forget the vanished workers and the stranded jobs, and begin to observe both anew."""
        self._vanished = Debounce(VANISHED_SECONDS)
        self._stranded = Debounce(STRANDED_SECONDS)


class Debounce:
    """Find the ids of workers or of jobs that every observation of the last `seconds` contains."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[str, float] = {}

    @property
    def suspects(self) -> bool:
        """Whether the last observation contained any ids."""
        return bool(self._since)

    def persistent(self, ids: set[str]) -> list[str]:
        """Note the observed ids; return those that were in every observation for `seconds`."""
        observed = time.monotonic()
        self._since = {each: self._since.get(each, observed) for each in ids}
        return [each for each, since in self._since.items() if observed - since >= self._seconds]


def requeue_jobs_of(worker_id: str, library: type[DBOS] | DBOSClient = DBOS) -> None:
    """Requeue the pending jobs of a vanished worker, whose lock the caller must hold.

    `library` is the launched job library or, before the launch, a client of its tables.
    """
    # Without the lock, this could requeue a job that another worker has begun: `resume_workflows`
    # requeues running jobs, too.
    pending = library.list_workflows(
        status="PENDING",
        queue_name=QUEUE,
        executor_id=worker_id,
        load_input=False,
        load_output=False,
    )
    library.resume_workflows([job.workflow_id for job in pending], queue_name=QUEUE)
