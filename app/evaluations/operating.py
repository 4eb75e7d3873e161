"""List, read and cancel any account's evaluations for administrators, who see no data."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..http.missing import missing
from ..http.pagination import PageQuery, page
from . import repository
from .jobs import outcomes
from .models import Evaluation
from .presentation import operated_evaluation
from .stall_reasons import QueueView


def list_all(
    session: Session, state: wire.EvaluationState | None, query: PageQuery
) -> wire.Page[wire.OperatedEvaluation]:
    """Return a page of the evaluations of all accounts; a `state` of None stands for any."""
    queue = QueueView(session)
    rows = repository.every()
    if state is not None:
        rows = rows.where(Evaluation.state == state)
    return page(session, rows, Evaluation, query, lambda row: operated_evaluation(row, queue))


def read_any(session: Session, evaluation_id: str) -> wire.OperatedEvaluation:
    """Return an evaluation of any account.

    Raises
    ------
    NotFound
        If there is no such evaluation.
    """
    return operated_evaluation(_found(session, evaluation_id), QueueView(session))


def cancel_any(session: Session, evaluation_id: str) -> wire.OperatedEvaluation:
    """Cancel a waiting or running evaluation of any account; cancelling again changes nothing.

    Raises
    ------
    NotFound
        If there is no such evaluation.
    EvaluationFinished
        If the evaluation has succeeded or failed.
    """
    evaluation = _found(session, evaluation_id, lock=True)
    outcomes.cancel_unfinished(session, evaluation, "An administrator cancelled the evaluation.")
    session.flush()
    return operated_evaluation(evaluation, QueueView(session))


def _found(session: Session, evaluation_id: str, *, lock: bool = False) -> Evaluation:
    find = repository.locked if lock else repository.read
    evaluation = find(session, evaluation_id)
    if evaluation is None:
        raise missing("evaluation", evaluation_id)
    return evaluation
