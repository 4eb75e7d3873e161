"""The job handlers of a worker, whose methods a test calls."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import select, text

from app.evaluations.computing import compute
from app.evaluations.computing.process_messages import StoreTask
from app.evaluations.jobs.chunk_job import ChunkJob
from app.evaluations.jobs.evaluation_job import EvaluationJob
from app.evaluations.models import EvaluationChunk
from app.jobs.handlers import JobHandler, Json
from app.jobs.queue import JobQueue
from app.receipts.installation_key import InstallationKey
from app.receipts.key_file import KeyFile
from app.receipts.service import rotate_key
from tests.app.conftest import Service


class Jobs:
    """The handlers of evaluations and of chunks, called step by step.

    With `cut_seconds`, evaluations that are estimated to take longer are cut into chunks.
    """

    def __init__(
        self,
        service: Service,
        store: StoreTask | None = None,
        max_attempts: int | None = None,
        cut_seconds: float | None = None,
    ) -> None:
        self._database = service.database
        file = KeyFile(service.settings.key_file)
        signing = InstallationKey(service.database, file)
        if signing.establish() is not None:  # another test has published a key of another machine
            with rotate_key(service.database, file):
                pass
        arguments: dict[str, Any] = {
            "database": service.database,
            "store": store or StoreTask(folder=str(service.settings.arrays_folder), bucket=None),
            "queue": JobQueue(service.database.engine),
            "signing": signing,
            "max_attempts": max_attempts or service.settings.max_attempts,
        }
        self.evaluations = EvaluationJob(
            **arguments, cut_seconds=cut_seconds or service.settings.cut_seconds
        )
        self.chunks = ChunkJob(**arguments)

    def computed(self, handler: JobHandler, job_id: str) -> Json:
        """Begin a job, and return the output that a solver process would compute."""
        task = handler.prepare(job_id)
        assert task is not None
        module, _, name = task.function.partition(":")
        assert module == compute.__name__
        output: Json = getattr(compute, name)(task.arguments, lambda *_: None)
        return output

    def chunks_of(self, evaluation_id: str) -> Sequence[EvaluationChunk]:
        with self._database.snapshot() as session:
            return session.scalars(
                select(EvaluationChunk)
                .where(EvaluationChunk.evaluation_id == evaluation_id)
                .order_by(EvaluationChunk.number)
            ).all()

    def workers_of(self, evaluation_id: str) -> dict[str, str]:
        """Return the workers that last dequeued an evaluation and each of its chunks, by job id."""
        with self._database.snapshot() as session:
            schema = "dbos." if session.get_bind().dialect.name == "postgresql" else ""
            rows = session.execute(
                text(
                    f"SELECT workflow_uuid, executor_id FROM {schema}workflow_status "
                    "WHERE workflow_uuid LIKE :of_evaluation AND status = 'SUCCESS'"
                ),
                {"of_evaluation": f"{evaluation_id}%"},
            )
            return {row.workflow_uuid: row.executor_id for row in rows}


def eventually(true: Callable[[], object], what: str) -> None:
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end, f"not {what} after 120 s"
        time.sleep(0.02)
