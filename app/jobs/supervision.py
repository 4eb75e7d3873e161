"""The worker's supervision loop: kill overdue and cancelled jobs, take over dead workers' jobs.

The job library (DBOS) neither stops a running function nor deletes finished jobs.
"""

import threading
import time
from datetime import timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError

from .finished_jobs import delete_finished_jobs
from .runner import JobRunner
from .service_state import ServiceState
from .takeover import StaleWorkerReaper

logger = structlog.stdlib.get_logger("wassay.jobs")

SUPERVISION_SECONDS = 0.25
DELETION_SECONDS = 3600.0
RETENTION = timedelta(days=7)


def supervise(
    reaper: StaleWorkerReaper, runner: JobRunner, state: ServiceState, stop: threading.Event
) -> None:
    """Kill overdue and unwanted jobs, take over jobs of stale workers, and delete old jobs.

    While the worker is out of service, check its machine at intervals.
    """
    deleted_at = time.monotonic() - DELETION_SECONDS
    unavailable = False
    while not stop.wait(SUPERVISION_SECONDS):
        runner.kill_overdue()
        state.examine_if_due()
        try:
            runner.kill_unwanted()
            reaper.reap_if_due()
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
