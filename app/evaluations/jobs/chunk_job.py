"""A chunk of an evaluation as a job: some of its solves, or, the last of all, their assembling."""

from collections.abc import Collection

from sqlalchemy.orm import Session

from ...database import now
from ...jobs.handlers import Json, ProcessTask
from .. import repository
from ..computing.messages import AssemblyTask, ChunkTask, EvaluationOutput
from ..models import Evaluation, EvaluationChunk
from . import chunk_repository, outcomes
from .base_job import BaseJob
from .enqueueing import CHUNK_KIND, enqueue_assembly
from .task_builder import task_of


class ChunkJob(BaseJob):
    """The handler of chunks; see `app.jobs.handlers.JobHandler`.

    Whoever ends an evaluation removes its chunks, and with that ends what computes them. Every
    change of a chunk is made under the lock of its evaluation's row.
    """

    kind = CHUNK_KIND

    def prepare(self, job_id: str) -> ProcessTask | None:
        """Begin an attempt, unless the chunk is finished or was begun too often."""
        with self._database.transaction() as session:
            evaluation, chunk = _locked(session, job_id)
            if evaluation is None or chunk is None or chunk.output is not None:
                return None
            if not self._may_begin(session, evaluation, chunk.attempts):
                return None
            chunk.running = True
            chunk.attempts += 1
            evaluation.state = "running"
            if chunk.attempts > 1:
                evaluation.attempts = max(evaluation.attempts, chunk.attempts)
                evaluation.reason = (
                    f"Attempt {chunk.attempts} of a part: the process of the one before vanished."
                )
            return self._task(session, evaluation, chunk)

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return those that another worker has finished, or whose evaluation has ended."""
        with self._database.snapshot() as session:
            return set(job_ids) - chunk_repository.wanted_among(session, job_ids)

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Note the solves that are done."""
        del total
        with self._database.transaction() as session:
            chunk_repository.note_progress(session, job_id, done)

    def publish(self, job_id: str, output: Json) -> None:
        """Keep what a chunk found; when all have, assemble it; and publish what was assembled."""
        with self._database.transaction() as session:
            evaluation, chunk = _locked(session, job_id)
            if evaluation is None or chunk is None:
                return
            if chunk.first == chunk.stop:
                computed = EvaluationOutput.model_validate(output)
                outcomes.publish(session, evaluation, computed, self._key_file.key())
                return
            chunk.output = output
            chunk.running = False
            chunk.done = chunk.stop - chunk.first
            session.flush()
            chunk_repository.note_progress(session, job_id, chunk.done)
            last, *others = reversed(chunk_repository.unfinished(session, evaluation.id))
            if not others:
                enqueue_assembly(session, self._queue, last)

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        """End the whole evaluation with a problem, unless the chunk was begun again since."""
        with self._database.transaction() as session:
            evaluation, chunk = _locked(session, job_id)
            if evaluation is None or chunk is None:
                return
            if attempt in {None, chunk.attempts}:
                outcomes.fail(session, evaluation, problem)

    def give_back(self, job_id: str, attempt: int) -> None:
        """Let the chunk wait again; an attempt that was stopped on purpose does not count."""
        with self._database.transaction() as session:
            evaluation, chunk = _locked(session, job_id)
            if evaluation is None or chunk is None:
                return
            if not chunk.running or chunk.attempts != attempt:
                return
            chunk.running = False
            chunk.attempts -= 1
            chunk.done = 0
            session.flush()
            chunk_repository.note_progress(session, job_id, 0)
            if not chunk_repository.is_any_running(session, evaluation.id):
                evaluation.state = "waiting"

    def _task(
        self, session: Session, evaluation: Evaluation, chunk: EvaluationChunk
    ) -> ProcessTask:
        if chunk.first < chunk.stop:
            task = task_of(session, evaluation, self._store, is_part=True)
            part = ChunkTask(evaluation=task, first=chunk.first, stop=chunk.stop)
            return self._process_task("compute_chunk", part, chunk.attempts)
        begun = evaluation.started_at or evaluation.created_at
        assembly = AssemblyTask(
            evaluation=task_of(session, evaluation, self._store),
            chunks=chunk_repository.outputs_of(session, evaluation.id),
            solving_seconds=(now() - begun).total_seconds(),
        )
        return self._process_task("assemble", assembly, chunk.attempts)


def _locked(session: Session, job_id: str) -> tuple[Evaluation | None, EvaluationChunk | None]:
    """Lock an evaluation's row, and read one of its chunks then."""
    evaluation = repository.locked(session, chunk_repository.evaluation_of(job_id))
    return evaluation, session.get(EvaluationChunk, job_id)
