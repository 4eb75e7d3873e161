"""The queue of jobs: enqueue jobs, and list the jobs that workers have dequeued.

The job library (DBOS) dequeues jobs, and gives no job to two workers; see `queue_poll`.
"""

from collections import defaultdict
from typing import Any

from asgi_correlation_id import correlation_id
from dbos import DBOSClient, EnqueueOptions
from sqlalchemy import Dialect, Engine, Select, delete, or_, select
from sqlalchemy.orm import Session

from ..tracing import traceparent
from .library_tables import (
    APPLICATION,
    APPLICATION_VERSION,
    ENDED,
    QUEUE,
    SERIALIZER,
    WORKFLOW,
    workflows,
)
from .queue_news import announce


class JobQueue:
    """The queue in which jobs wait for a worker.

    To cancel a job, update the row that the job is for, not the queue.

    Parameters
    ----------
    engine
        The application's engine; the job library's tables are in the same database.
    """

    def __init__(self, engine: Engine) -> None:
        self._client = DBOSClient(
            system_database_engine=engine,
            serializer=SERIALIZER,
            application_name=APPLICATION,
            lazy=True,
        )

    def enqueue(self, session: Session, kind: str, job_id: str, *, priority: int = 1) -> None:
        """Enqueue a job in the caller's transaction; do nothing if a job with this id is recorded.

        Jobs with a smaller `priority` are dequeued first.
        """
        options = EnqueueOptions(
            workflow_name=WORKFLOW,
            queue_name=QUEUE,
            workflow_id=job_id,
            app_version=APPLICATION_VERSION,
            priority=priority,
        )
        trace = traceparent()
        arguments = (kind, job_id, correlation_id.get(), *(() if trace is None else (trace,)))
        self._client.enqueue_in_transaction(session, options, *arguments)
        announce(session)

    def forget(self, session: Session, job_id: str, prefix: str) -> bool:
        """Delete the records of a job, and of all jobs whose ids begin with `prefix`; return True.

        If any of the jobs has not ended, delete nothing, and return False.
        """
        table = workflows(session.connection().dialect)
        jobs = table.c
        named = or_(
            jobs.workflow_uuid == job_id, jobs.workflow_uuid.startswith(prefix, autoescape=True)
        )
        unfinished = select(jobs.workflow_uuid).where(named, jobs.status.not_in(ENDED)).limit(1)
        if session.execute(unfinished).first() is not None:
            return False
        session.execute(delete(table).where(named))
        return True


def select_pending_jobs(dialect: Dialect) -> Select[Any]:
    """Select the worker and the id of each job that is dequeued and not finished."""
    jobs = workflows(dialect).c
    return select(jobs.executor_id, jobs.workflow_uuid).where(
        jobs.status == "PENDING", jobs.queue_name == QUEUE, jobs.executor_id.is_not(None)
    )


def pending_jobs(session: Session) -> dict[str, list[str]]:
    """Return the ids of the jobs that are dequeued and not finished, keyed by their worker's id."""
    # Read in the caller's session. The job library's client would use a second connection, which on
    # SQLite would wait in vain for the end of the caller's own transaction.
    dialect = session.connection().dialect
    pending = select_pending_jobs(dialect).order_by(workflows(dialect).c.created_at)
    by_worker: defaultdict[str, list[str]] = defaultdict(list)
    for worker_id, job_id in session.execute(pending):
        by_worker[worker_id].append(job_id)
    return dict(by_worker)
