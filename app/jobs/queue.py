"""The queue, as the web process sees it."""

from collections import defaultdict

from dbos import DBOSClient, EnqueueOptions
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from .schema import (
    APPLICATION,
    APPLICATION_VERSION,
    QUEUE,
    SERIALIZER,
    WORKFLOW,
    workflows,
)


class JobQueue:
    """Where jobs wait for a worker.

    There is no cancelling here: a job belongs to a row of its resource, and workers ask the
    job's handler whether that row still wants it (`JobHandler.prepare`, `.unwanted`). So a
    cancellation is one update, in the caller's own transaction.

    Parameters
    ----------
    engine
        The application's engine: the job library's tables lie in the same database.
    """

    def __init__(self, engine: Engine) -> None:
        self._client = DBOSClient(
            system_database_engine=engine,
            serializer=SERIALIZER,
            application_name=APPLICATION,
            lazy=True,
        )

    def enqueue(self, session: Session, kind: str, job_id: str, *, priority: int = 1) -> None:
        """Enqueue a job in the caller's transaction: it exists when that commits.

        A job that was enqueued already stays as it is. Jobs of a smaller `priority` are taken
        before others, and among equals those that came first.
        """
        options = EnqueueOptions(
            workflow_name=WORKFLOW,
            queue_name=QUEUE,
            workflow_id=job_id,
            app_version=APPLICATION_VERSION,
            priority=priority,
        )
        self._client.enqueue_in_transaction(session, options, kind, job_id)


def taken_jobs(session: Session) -> dict[str, list[str]]:
    """Return the ids of the jobs that each worker has taken and not finished.

    They are read in the caller's session, and not by the job library's client: its connection would
    be a second one, which a caller who writes on SQLite keeps waiting for ever.
    """
    jobs = workflows(session.connection().dialect).c
    taken = (
        select(jobs.executor_id, jobs.workflow_uuid)
        .where(jobs.status == "PENDING", jobs.queue_name == QUEUE, jobs.executor_id.is_not(None))
        .order_by(jobs.created_at)
    )
    by_worker: defaultdict[str, list[str]] = defaultdict(list)
    for worker_id, job_id in session.execute(taken):
        by_worker[worker_id].append(job_id)
    return dict(by_worker)
