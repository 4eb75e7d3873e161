"""The worker's supervision loop: kill unwanted jobs, and take over from vanished workers."""

import threading
import time

import structlog
from sqlalchemy.exc import SQLAlchemyError

from .finished_jobs import DELETION_SECONDS, delete_finished_jobs
from .runner import JobRunner
from .service_state import ServiceState
from .takeover import Takeover

logger = structlog.stdlib.get_logger("wassay.jobs")

SUPERVISION_SECONDS = 0.25


def supervise(
    takeover: Takeover, runner: JobRunner, state: ServiceState, stop: threading.Event
) -> None:
    """Kill overdue and unwanted jobs, take over from vanished workers, and delete ended jobs.

    Repeat this until `stop` is set.
    """
    deleted_at = time.monotonic() - DELETION_SECONDS
    unavailable = False
    while not stop.wait(SUPERVISION_SECONDS):
        # The job library (DBOS) neither stops a running function nor deletes finished jobs.
        runner.kill_overdue()
        state.examine_if_due()
        try:
            runner.kill_unwanted()
            takeover.take_over_if_due()
            if time.monotonic() - deleted_at >= DELETION_SECONDS:
                deleted_at = time.monotonic()
                delete_finished_jobs()
        except SQLAlchemyError:
            if not unavailable:
                logger.warning("the database does not respond; waiting", exc_info=True)
            unavailable = True
            takeover.reset()
        else:
            if unavailable:
                logger.warning("the database responds again")
            unavailable = False
