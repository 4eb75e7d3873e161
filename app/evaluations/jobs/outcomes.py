"""End an evaluation in one transaction: publish its result, fail it, or cancel it."""

from datetime import datetime

from sqlalchemy import insert
from sqlalchemy.orm import Session

from wassay.receipts import SigningKey

from ...database import database_time
from ...jobs.handlers import Json
from ..models import UNFINISHED, Evaluation, Result, ScoredPoints
from ..privacy.disclosures import record_result
from ..problems import EvaluationFinished
from . import chunk_repository
from .computed_result import ComputedResult
from .evaluation_metrics import count_end, count_success
from .issue_receipts import issue_receipts
from .release_contributions import release_contributions
from .state_transitions import succeed


def publish(
    session: Session,
    evaluation: Evaluation,
    started_at: datetime | None,
    computed: ComputedResult,
    key: SigningKey,
) -> None:
    """Publish the result, scores and receipts of a locked evaluation that has not ended.

    `started_at` is when the evaluation began, and `key` signs the receipts.
    """
    # Insert rows instead of objects, because no object is used afterwards.
    result = {
        "evaluation_id": evaluation.id,
        "document": computed.text,
        "digest": computed.digest,
        "nearest_s": computed.nearest_s,
    }
    session.execute(insert(Result).execution_options(render_nulls=True), [result])
    if computed.scores:
        rows = [{"evaluation_id": evaluation.id, **each.model_dump()} for each in computed.scores]
        session.execute(insert(ScoredPoints).execution_options(render_nulls=True), rows)
    record_result(session, evaluation, computed.document)
    issued_at = issue_receipts(session, key, evaluation, computed)
    chunk_repository.remove(session, evaluation.id)
    succeed(session, evaluation.id, issued_at)
    # Not `evaluation.started_at`: the object may have been read before the evaluation began.
    count_success(session, evaluation.created_at, started_at, issued_at)


def fail(session: Session, evaluation: Evaluation, problem: Json) -> None:
    """Fail a locked evaluation that has not ended, and store the `problem`."""
    chunk_repository.remove(session, evaluation.id)
    evaluation.finished_at = database_time(session)
    evaluation.state = "failed"
    evaluation.problem = problem
    evaluation.reason = problem["detail"]
    count_end(session, evaluation)
    release_contributions(session, evaluation)


def cancel(session: Session, evaluation: Evaluation, reason: str) -> None:
    """Cancel a locked evaluation that has not ended, and store the `reason` for its buyer.

    Workers then stop computing the evaluation.
    """
    chunk_repository.remove(session, evaluation.id)
    evaluation.finished_at = database_time(session)
    evaluation.state = "cancelled"
    evaluation.reason = reason
    count_end(session, evaluation)
    release_contributions(session, evaluation)


def cancel_unfinished(session: Session, evaluation: Evaluation, reason: str) -> None:
    """Cancel a locked evaluation for a `reason`; do nothing if it is cancelled already.

    Raises
    ------
    EvaluationFinished
        If the evaluation has succeeded or failed.
    """
    if evaluation.state in UNFINISHED:
        cancel(session, evaluation, reason)
    elif evaluation.state != "cancelled":
        raise EvaluationFinished(
            f"Evaluation {evaluation.id} has {evaluation.state}; only a waiting or running "
            "evaluation can be cancelled.",
            expected=list(UNFINISHED),
            received=evaluation.state,
        )
