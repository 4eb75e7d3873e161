"""What a worker looks after while its jobs run: the clock, cancellations, and the other workers.

The job library (DBOS) ends no body that runs, recovers the jobs only of a worker that starts again
under the same id, and leaves those as they are that it claimed and could not start, or whose end it
could not note.
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
from .slots import Places
from .worker_registry import Presence

logger = structlog.stdlib.get_logger("wassay.jobs")

WATCH_SECONDS = 0.25
ABSENT_SECONDS = 2.0
WAITING_SECONDS = 0.5
"""How long a job waits here for a place before another worker may take it."""
SWEEP_SECONDS = 3600.0
KEPT_FINISHED = timedelta(days=7)
SWEPT_AT_ONCE = 1000


def watch(
    worker_id: str,
    presence: Presence,
    runner: JobRunner,
    places: Places,
    stop: threading.Event,
) -> None:
    """Until `stop`: end what is overdue or no longer wanted, take over, clear away what is old."""
    succession = Succession(worker_id, presence, places)
    swept = time.monotonic() - SWEEP_SECONDS
    away = False
    while not stop.wait(WATCH_SECONDS):
        runner.end_overdue()
        try:
            runner.end_unwanted()
            succession.look()
            if time.monotonic() - swept >= SWEEP_SECONDS:
                swept = time.monotonic()
                forget_finished_jobs(KEPT_FINISHED)
        except SQLAlchemyError:
            if not away:
                logger.warning("the database does not answer; waiting", exc_info=True)
            away = True
            succession.begin_anew()
        else:
            if away:
                logger.warning("the database answers again")
            away = False


class Succession:
    """Takes over the jobs that nobody computes, though they were taken.

    A worker counts as vanished when its lock was free for `ABSENT_SECONDS` in a row. Where the
    database was away, every worker lost its lock and needs a moment to take it again, so the
    counting begins anew. A job of this worker's own is stranded when its thread gave up, as the
    job library's does when it cannot note the job's end.
    """

    def __init__(self, worker_id: str, presence: Presence, places: Places) -> None:
        self._worker_id = worker_id
        self._presence = presence
        self._places = places
        self._vanished = Lasting(ABSENT_SECONDS)
        self._stranded = Lasting(ABSENT_SECONDS)

    def look(self) -> None:
        """Put the jobs that nobody computes back in the queue."""
        if self._presence.renewed():
            logger.warning("the worker's lock was lost and taken again")
            self.begin_anew()
        taken = DBOS.list_workflows(
            status="PENDING", queue_name=QUEUE, load_input=False, load_output=False
        )
        own = {job.workflow_id for job in taken if job.executor_id == self._worker_id}
        known = {job.executor_id for job in taken if job.executor_id is not None}
        others = known.union(self._presence.others()) - {self._worker_id}
        if vanished := self._vanished.of(others - self._presence.living_among(others)):
            logger.warning("taking over from vanished workers", worker_ids=vanished)
            for worker_id in vanished:
                with self._presence.in_place_of(worker_id) as is_successor:
                    if is_successor:
                        put_back_jobs_of(worker_id)
        if stranded := self._stranded.of(own - self._places.held):
            logger.warning("taking stranded jobs up again", job_ids=stranded)
        left = self._places.give_up({*stranded, *self._places.waiting(WAITING_SECONDS)})
        if own_left := own.intersection(left):  # of what is not, others have taken over
            DBOS.resume_workflows(list(own_left), queue_name=QUEUE)

    def begin_anew(self) -> None:
        """Forget since when something was missing."""
        self._vanished = Lasting(ABSENT_SECONDS)
        self._stranded = Lasting(ABSENT_SECONDS)


class Lasting:
    """Tells which of the names that are seen again and again were seen for long enough."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[str, float] = {}

    def of(self, names: set[str]) -> list[str]:
        """Return those of the names that were among those of every call for so many seconds."""
        seen = time.monotonic()
        self._since = {name: self._since.get(name, seen) for name in names}
        return [name for name, since in self._since.items() if seen - since >= self._seconds]


def put_back_jobs_of(worker_id: str) -> None:
    """Put the jobs that a vanished worker had taken back in the queue.

    Its lock is to be held: `resume_workflows` takes a job from whoever runs it, and only the lock
    keeps other workers from having put it back, and begun it, since it was listed.
    """
    taken = DBOS.list_workflows(
        status="PENDING",
        queue_name=QUEUE,
        executor_id=worker_id,
        load_input=False,
        load_output=False,
    )
    DBOS.resume_workflows([job.workflow_id for job in taken], queue_name=QUEUE)


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
