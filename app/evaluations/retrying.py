"""Retry an evaluation that failed because of the service."""

from http import HTTPStatus

from sqlalchemy.orm import Session

from ..accounts.repository import lock_organisation
from ..contributions.access import mark_used, submitted_contributions
from ..http.missing import missing
from ..jobs.queue import JobQueue
from ..requests.states import state_of
from . import queue_repository, repository
from .jobs.chunk_repository import chunk_id
from .jobs.enqueueing import enqueue_evaluation
from .jobs.turns import next_turn
from .models import Evaluation
from .problems import EvaluationNotRetryable


def retry_evaluation(session: Session, queue: JobQueue, evaluation_id: str) -> Evaluation:
    """Enqueue a failed evaluation again, with the same inputs.

    It does not count again towards sellers' caps.

    Raises
    ------
    NotFound
        If there is no such evaluation.
    EvaluationNotRetryable
        If the evaluation has not failed, or failed because of its inputs. If its inputs are gone,
        or its request is cancelled. If the queue still has a job of the last attempt.
    """
    found = session.get(Evaluation, evaluation_id)
    if found is None:
        raise missing("evaluation", evaluation_id)
    account = found.request.account
    # Take the locks in the same order as `create_evaluation`, so that the two cannot deadlock.
    lock_organisation(session, account.organisation_key)
    submitted = submitted_contributions(session, found.request_id, lock=True)
    evaluation = repository.locked(session, evaluation_id) or found
    _require_failure_of_the_service(evaluation)
    _require_inputs(evaluation, {each.id for each in submitted})
    if not queue.forget(session, evaluation.id, chunk_id(evaluation.id, "")):
        raise EvaluationNotRetryable(
            f"The last attempt at evaluation {evaluation_id} has not ended completely. Try again "
            "in a moment.",
            received="ending",
        )
    mark_used([used.contribution for used in evaluation.contributions])
    evaluation.turn = next_turn(
        queue_repository.backlog_of(session, account.id, account.organisation_key)
    )
    evaluation.state = "waiting"
    evaluation.attempts = 0
    evaluation.problem = evaluation.reason = evaluation.finished_at = None
    evaluation.progress_done = evaluation.progress_total = None
    session.flush()
    enqueue_evaluation(session, queue, evaluation)
    return evaluation


def _require_failure_of_the_service(evaluation: Evaluation) -> None:
    if evaluation.state != "failed" or evaluation.problem is None:
        raise EvaluationNotRetryable(
            f"Expected an evaluation that failed; evaluation {evaluation.id} is "
            f"{evaluation.state}. Only a failed one can be computed again.",
            expected="failed",
            received=evaluation.state,
        )
    if evaluation.problem["status"] < HTTPStatus.INTERNAL_SERVER_ERROR:
        raise EvaluationNotRetryable(
            f"Evaluation {evaluation.id} would fail again, because it failed because of its "
            f"inputs: {evaluation.reason}",
            expected="a failure of the service",
            received=evaluation.problem["type"],
        )


def _require_inputs(evaluation: Evaluation, submitted: set[str]) -> None:
    request = evaluation.request
    gone = [
        used.contribution_id
        for used in evaluation.contributions
        if used.contribution_id not in submitted
    ]
    if gone:
        missing = f"contribution {gone[0]} is no longer submitted"
    elif state_of(request) == "cancelled":
        missing = f"request {request.id} is cancelled"
    elif request.measure is None or request.measure.deleted_at is not None:
        missing = f"the measure of request {request.id} was deleted"
    else:
        return
    raise EvaluationNotRetryable(
        f"Evaluation {evaluation.id} cannot be computed again: {missing}.", received=missing
    )
