"""The handler of chunks. The last chunk builds the result; all others solve subproblems."""

from collections.abc import Collection

from sqlalchemy.orm import Session

from ...database import database_time
from ...jobs.handlers import Json, ProcessTask
from .. import repository
from ..computing.process_messages import AssemblyTask, ChunkTask
from ..models import Evaluation, EvaluationChunk
from . import chunk_repository, outcomes
from .base_job import BaseJob
from .computed_result import ComputedResult
from .enqueueing import CHUNK_KIND, enqueue_assembly
from .task_builder import task_of


class ChunkJob(BaseJob):
    """The handler of the jobs that compute chunks; see `app.jobs.handlers.JobHandler`.

    Every change of a chunk needs the lock of its evaluation's row.
    """

    kind = CHUNK_KIND

    def read_ahead(self, job_id: str) -> None:
        """Read nothing, because a chunk takes seconds and reading early would save little."""

    def prepare(self, job_id: str, ahead: object | None = None) -> ProcessTask | None:
        """Begin an attempt: mark the chunk and its evaluation as running, and return the task.

        Return None if the chunk is finished or deleted. Also if it has used up its attempts; the
        evaluation then fails.
        """
        with self._database.transaction() as session:
            evaluation, chunk = _locked(session, job_id)
            if evaluation is None or chunk is None or chunk.output is not None:
                return None
            if not self._may_begin_or_fail(session, evaluation, chunk.attempts):
                return None
            chunk.running = True
            chunk.attempts += 1
            evaluation.state = "running"
            evaluation.turn = max(evaluation.turn, chunk.turn)
            if chunk.attempts > 1:
                evaluation.attempts = max(evaluation.attempts, chunk.attempts)
                evaluation.reason = (
                    f"Attempt {chunk.attempts} at a chunk, because the attempt before ended "
                    "without a result."
                )
            return self._task(session, evaluation, chunk)

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return which of these chunks were deleted, or finished by another worker."""
        with self._database.look() as connection:
            return set(job_ids) - chunk_repository.unfinished_among(connection, job_ids)

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Store the number of solved subproblems."""
        del total
        with self._database.transaction() as session:
            chunk_repository.store_progress(session, job_id, done)

    def publish(self, job_id: str, output: Json, ahead: object | None = None) -> None:
        """Store a chunk's output, and enqueue the last chunk once all others have outputs.

        The output of the last chunk is the result: publish it instead.
        """
        computed = None if "solved" in output else ComputedResult.of(output)
        with self._database.transaction() as session:
            evaluation, chunk = _locked(session, job_id)
            if evaluation is None or chunk is None:
                return  # the evaluation has ended, which deletes its chunks
            if computed is not None:
                key, started_at = self._signing.key(), evaluation.started_at
                outcomes.publish(session, evaluation, started_at, computed, key)
                return
            chunk.output = output
            chunk.running = False
            chunk.done = chunk.stop - chunk.first
            session.flush()
            chunk_repository.store_progress(session, job_id, chunk.done)
            last, *others = reversed(chunk_repository.unfinished(session, evaluation.id))
            if not others:
                enqueue_assembly(session, self._queue, last)

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        """Fail the whole evaluation, unless it has ended or a newer attempt at the chunk has begun.

        `attempt` is None if no attempt could begin.
        """
        with self._database.transaction() as session:
            evaluation, chunk = _locked(session, job_id)
            if evaluation is None or chunk is None:
                return
            if attempt in {None, chunk.attempts}:
                outcomes.fail(session, evaluation, problem)

    def give_back(self, job_id: str, attempt: int, *, counted: bool = False) -> None:
        """Mark the chunk as waiting again, if this attempt is still the running one.

        The attempt counts towards the limit of attempts only if `counted`.
        """
        with self._database.transaction() as session:
            evaluation, chunk = _locked(session, job_id)
            if evaluation is None or chunk is None:
                return
            if not chunk.running or chunk.attempts != attempt:
                return
            chunk.running = False
            chunk.attempts -= not counted
            chunk.done = 0
            session.flush()
            chunk_repository.store_progress(session, job_id, 0)
            if not chunk_repository.is_any_running(session, evaluation.id):
                evaluation.state = "waiting"

    def _task(
        self, session: Session, evaluation: Evaluation, chunk: EvaluationChunk
    ) -> ProcessTask:
        if chunk.first < chunk.stop:
            task = task_of(session, evaluation, self._store, is_chunk=True)
            chunk_task = ChunkTask(evaluation=task, first=chunk.first, stop=chunk.stop)
            return self._process_task("compute_chunk", chunk_task, chunk.attempts)
        begun = evaluation.started_at or evaluation.created_at
        assembly = AssemblyTask(
            evaluation=task_of(session, evaluation, self._store),
            chunks=chunk_repository.outputs_of(session, evaluation.id),
            solving_seconds=(database_time(session) - begun).total_seconds(),
        )
        return self._process_task("assemble", assembly, chunk.attempts)


def _locked(session: Session, job_id: str) -> tuple[Evaluation | None, EvaluationChunk | None]:
    """Lock the row of a chunk's evaluation, and return the evaluation and the chunk.

    Either is None if it does not exist.
    """
    evaluation = repository.locked(session, chunk_repository.evaluation_of(job_id))
    return evaluation, session.get(EvaluationChunk, job_id)
