"""The handler of evaluations: begin one, and publish its result or cut it into chunks."""

from collections.abc import Collection
from dataclasses import dataclass

from ...database import Database, database_time
from ...jobs.handlers import Json, ProcessTask
from ...jobs.queue import JobQueue
from ...receipts.installation_key import InstallationKey
from .. import repository
from ..computing.process_messages import ComputeTask, EvaluationCut, EvaluationTask, StoreTask
from ..models import UNFINISHED, Evaluation
from . import chunk_repository, outcomes, state_transitions
from .base_job import BaseJob
from .computed_result import ComputedResult
from .enqueueing import EVALUATION_KIND, enqueue_chunks
from .task_builder import task_of


@dataclass(frozen=True)
class WaitingEvaluation:
    """An evaluation that was read while it waited for its first attempt, and its task.

    Since then, only the evaluation's state, attempts, times, progress, turn, reason and problem may
    have changed.
    """

    task: EvaluationTask
    evaluation: Evaluation


class EvaluationJob(BaseJob):
    """The handler of the jobs that compute evaluations; see `app.jobs.handlers.JobHandler`.

    Parameters
    ----------
    cut_seconds
        Evaluations that are estimated to take longer are cut into chunks.
    """

    kind = EVALUATION_KIND

    def __init__(
        self,
        database: Database,
        store: StoreTask,
        queue: JobQueue,
        signing: InstallationKey,
        max_attempts: int,
        cut_seconds: float,
    ) -> None:
        super().__init__(database, store, queue, signing, max_attempts)
        self._cut_seconds = cut_seconds

    def read_ahead(self, job_id: str) -> WaitingEvaluation | None:
        """Build the task of an evaluation that waits for its first attempt; None for others."""
        # The transactions of `prepare` and `publish`, which block SQLite's writers, become shorter.
        with self._database.snapshot() as session:
            evaluation = repository.read(session, job_id)
            if evaluation is None or evaluation.state != "waiting" or evaluation.attempts:
                return None
            task = task_of(session, evaluation, self._store)
            return WaitingEvaluation(task, evaluation)

    def prepare(self, job_id: str, ahead: object | None = None) -> ProcessTask | None:
        """Begin an attempt: mark the evaluation as running, and return its task.

        Return None if the evaluation has ended, was cut into chunks, or fails now because it has
        used up its attempts.
        """
        # The task that was read ahead is used only while the evaluation waits for its first
        # attempt.
        if isinstance(ahead, WaitingEvaluation) and (begun := self._begun(ahead)):
            return begun
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state not in UNFINISHED:
                return None
            if chunk_repository.has_chunks(session, job_id):
                return None
            if not self._may_begin_or_fail(session, evaluation, evaluation.attempts):
                return None
            # Query the time first, because each query writes the changes made before it.
            evaluation.started_at = database_time(session)
            evaluation.state = "running"
            evaluation.attempts += 1
            evaluation.progress_done = evaluation.progress_total = None
            if evaluation.attempts > 1:
                evaluation.reason = (
                    f"Attempt {evaluation.attempts}, because the attempt before ended without a "
                    "result."
                )
            task = task_of(session, evaluation, self._store)
            return self._compute_task(task, evaluation.attempts)

    def _begun(self, ahead: WaitingEvaluation) -> ProcessTask | None:
        """Begin the first attempt, and return the task; None if the evaluation no longer waits."""
        with self._database.statement() as connection:
            started_at = state_transitions.begin(connection, ahead.task.evaluation_id)
        if started_at is None:
            return None
        waited = (started_at - ahead.evaluation.created_at).total_seconds()
        task = ahead.task.model_copy(update={"waited_seconds": waited})
        return self._compute_task(task, attempt=1)

    def _compute_task(self, task: EvaluationTask, attempt: int) -> ProcessTask:
        compute = ComputeTask(evaluation=task, cut_seconds=self._cut_seconds)
        return self._process_task("compute", compute, attempt)

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return which of these evaluations were cancelled, or ended by another worker."""
        with self._database.look() as connection:
            return repository.finished_among(connection, job_ids)

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Store the number of solved subproblems."""
        with self._database.transaction() as session:
            state_transitions.store_progress(session, job_id, done, total)

    def publish(self, job_id: str, output: Json, ahead: object | None = None) -> None:
        """Publish the result with scores and receipts, or enqueue the chunks to compute instead.

        Do nothing if the evaluation has ended; enqueue no chunks if it already has some.
        """
        computed = None if "bounds" in output else ComputedResult.of(output)
        key = self._signing.key()
        with self._database.transaction() as session:
            if computed is not None and isinstance(ahead, WaitingEvaluation):
                found = state_transitions.lock_state(session, job_id)
                if found is not None and found.state in UNFINISHED:
                    started_at = found.started_at
                    outcomes.publish(session, ahead.evaluation, started_at, computed, key)
                return
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state not in UNFINISHED:
                return
            if computed is not None:
                outcomes.publish(session, evaluation, evaluation.started_at, computed, key)
            elif not chunk_repository.has_chunks(session, job_id):
                bounds = EvaluationCut.model_validate(output).bounds
                enqueue_chunks(session, self._queue, evaluation, bounds)

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        """Fail the evaluation, unless it has ended or a newer attempt has begun.

        `attempt` is None if no attempt could begin.
        """
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state not in UNFINISHED:
                return
            if attempt in {None, evaluation.attempts}:
                outcomes.fail(session, evaluation, problem)

    def give_back(self, job_id: str, attempt: int, *, counted: bool = False) -> None:
        """Mark the evaluation as waiting again, if this attempt is still the running one.

        The attempt counts towards the limit of attempts only if `counted`.
        """
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state != "running":
                return
            if evaluation.attempts == attempt:
                evaluation.state = "waiting"
                evaluation.attempts -= not counted
                evaluation.progress_done = evaluation.progress_total = None
