"""An evaluation as a job: how it begins, how it is computed, how its result is published."""

from collections.abc import Collection
from pathlib import Path

from app.contributions.presentation import points_of, scalars_of
from app.database import Database, now
from app.evaluations import publication, repository
from app.evaluations.models import EvaluatedContribution, Evaluation
from app.evaluations.service import JOB_KIND
from app.evaluations.tasks import (
    ArrayTask,
    EvaluationOutput,
    EvaluationTask,
    MeasureTask,
    SellerTask,
)
from app.jobs.handlers import MAX_ATTEMPTS, ChildTask, Json
from app.jobs.problems import WorkerLost
from app.receipts.key_file import KeyFile


class EvaluationJob:
    """The handler of evaluations; see `app.jobs.handlers.JobHandler`."""

    kind = JOB_KIND
    module = "app.evaluations.computation"

    def __init__(self, database: Database, store: Path, key_file: KeyFile) -> None:
        self._database = database
        self._store = store
        self._key_file = key_file

    def prepare(self, job_id: str) -> ChildTask | None:
        """Begin an attempt, unless the evaluation has ended or was begun too often."""
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is None or evaluation.state not in repository.UNFINISHED:
                return None
            if evaluation.attempts >= MAX_ATTEMPTS:
                publication.fail(evaluation, WorkerLost.each_time().body())
                return None
            evaluation.state = "running"
            evaluation.attempts += 1
            evaluation.progress_done = evaluation.progress_total = None
            evaluation.started_at = now()
            if evaluation.attempts > 1:
                evaluation.reason = (
                    f"Attempt {evaluation.attempts}: the process of the one before vanished."
                )
            return ChildTask(
                f"{self.module}:compute",
                task_of(evaluation, self._store).model_dump(mode="json"),
                evaluation.attempts,
            )

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return those that were cancelled, or that another worker has finished."""
        with self._database.snapshot() as session:
            return repository.finished_among(session, job_ids)

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Note the solves that are done."""
        with self._database.transaction() as session:
            repository.note_progress(session, job_id, done, total)

    def publish(self, job_id: str, output: Json) -> None:
        """Publish the result, the scores and the receipts, once."""
        computed = EvaluationOutput.model_validate(output)
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is not None and evaluation.state in repository.UNFINISHED:
                publication.publish(session, evaluation, computed, self._key_file.key())

    def fail(self, job_id: str, problem: Json) -> None:
        """End the evaluation with a problem."""
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is not None and evaluation.state in repository.UNFINISHED:
                publication.fail(evaluation, problem)

    def give_back(self, job_id: str) -> None:
        """Let the evaluation wait again; an attempt that was stopped on purpose does not count."""
        with self._database.transaction() as session:
            evaluation = repository.locked(session, job_id)
            if evaluation is not None and evaluation.state == "running":
                evaluation.state = "waiting"
                evaluation.attempts -= 1
                evaluation.progress_done = evaluation.progress_total = None


def task_of(evaluation: Evaluation, store: Path) -> EvaluationTask:
    """Return what an evaluation that has just begun is computed from."""
    request, measure, started = evaluation.request, evaluation.request.measure, now()
    if measure is None:
        raise ValueError(f"request {request.id} was opened without a measure")
    return EvaluationTask(
        evaluation_id=evaluation.id,
        request_id=request.id,
        store=str(store.absolute()),
        order=request.order,
        sweep=request.sweep,
        seller_weighting=evaluation.seller_weighting,
        waited_seconds=(started - evaluation.created_at).total_seconds(),
        buyer=MeasureTask(digest=measure.digest, weighted=measure.weighted, rows=measure.rows),
        sellers=[seller_task(used) for used in evaluation.contributions],
    )


def seller_task(used: EvaluatedContribution) -> SellerTask:
    """Return what an evaluation needs of a contribution."""
    contribution = used.contribution
    return SellerTask(
        contribution_id=contribution.id,
        account_id=contribution.account_id,
        label=contribution.label,
        mode=contribution.mode,
        points=points_of(contribution) or 0,
        projection_spread=contribution.projection_spread,
        score_policy=contribution.score_policy,
        arrays=[
            ArrayTask(s=array.s, digest=array.digest, weighted=array.weighted)
            for array in contribution.arrays
        ],
        scalars=scalars_of(contribution),
    )
