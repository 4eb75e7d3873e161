"""The queue, as the web process sees it."""

from collections import defaultdict

from dbos import DBOSClient, EnqueueOptions
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from app.jobs.schema import APPLICATION, APPLICATION_VERSION, QUEUE, SERIALIZER, WORKFLOW


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

    def taken(self) -> dict[str, list[str]]:
        """Return the ids of the jobs that each worker has taken and not finished."""
        jobs: defaultdict[str, list[str]] = defaultdict(list)
        for job in self._client.list_workflows(
            status="PENDING", queue_name=QUEUE, load_input=False, load_output=False
        ):
            if job.executor_id is not None:
                jobs[job.executor_id].append(job.workflow_id)
        return dict(jobs)
