"""An evaluation as a job: how it begins, how it is computed, how its result is published."""

from collections.abc import Collection

from ...database import now
from ...jobs.handlers import Json, ProcessTask
from .. import repository
from ..computing.messages import EvaluationCut, EvaluationOutput
from . import chunk_repository, outcomes
from .base_job import BaseJob
from .enqueueing import EVALUATION_KIND, enqueue_chunks
from .task_builder import task_of


class EvaluationJob(BaseJob):
    """The handler of evaluations; see `app.jobs.handlers.JobHandler`."""

    kind = EVALUATION_KIND

    def prepare(self, job_id: str) -> ProcessTask | None:
        """Begin an attempt, unless the evaluation has ended, was cut, or was begun too often."""
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state not in repository.UNFINISHED:
                return None
            if chunk_repository.are_there(session, job_id):
                return None
            if not self._may_begin(session, evaluation, evaluation.attempts):
                return None
            evaluation.state = "running"
            evaluation.attempts += 1
            evaluation.progress_done = evaluation.progress_total = None
            evaluation.started_at = now()
            if evaluation.attempts > 1:
                evaluation.reason = (
                    f"Attempt {evaluation.attempts}: the process of the one before vanished."
                )
            task = task_of(session, evaluation, self._store)
            return self._process_task("compute", task, evaluation.attempts)

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return those that were cancelled, or that another worker has finished."""
        with self._database.snapshot() as session:
            return repository.finished_among(session, job_ids)

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Note the solves that are done."""
        with self._database.transaction() as session:
            repository.note_progress(session, job_id, done, total)

    def publish(self, job_id: str, output: Json) -> None:
        """Publish result, scores and receipts, once; or cut the evaluation into chunks, once."""
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state not in repository.UNFINISHED:
                return
            if "bounds" not in output:
                computed = EvaluationOutput.model_validate(output)
                outcomes.publish(session, evaluation, computed, self._key_file.key())
            elif not chunk_repository.are_there(session, job_id):
                bounds = EvaluationCut.model_validate(output).bounds
                enqueue_chunks(session, self._queue, evaluation, bounds)

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        """End the evaluation with a problem, unless it was begun again since."""
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state not in repository.UNFINISHED:
                return
            if attempt in {None, evaluation.attempts}:
                outcomes.fail(session, evaluation, problem)

    def give_back(self, job_id: str, attempt: int) -> None:
        """Let the evaluation wait again; an attempt that was stopped on purpose does not count."""
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state != "running":
                return
            if evaluation.attempts == attempt:
                evaluation.state = "waiting"
                evaluation.attempts -= 1
                evaluation.progress_done = evaluation.progress_total = None
