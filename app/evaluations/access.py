"""Who may see an evaluation, and why it ended."""

from typing import Any

from sqlalchemy.orm import Session

from ..accounts.authentication import Principal
from ..kit.problems import NotFound
from . import repository
from .models import Evaluation


def visible_evaluation(session: Session, caller: Principal, evaluation_id: str) -> Evaluation:
    """Return an evaluation to its buyer, or to a seller who takes part.

    Raises
    ------
    NotFound
        If there is none such.
    """
    rows = repository.visible_to(caller.account_id)
    return _found(repository.one(session, rows, evaluation_id), evaluation_id)


def own_evaluation(
    session: Session, caller: Principal, evaluation_id: str, *, lock: bool = False
) -> Evaluation:
    """Return an evaluation to its buyer; locked, to be changed.

    Raises
    ------
    NotFound
        If the caller has none such.
    """
    rows = repository.owned_by(caller.account_id)
    return _found(repository.one(session, rows, evaluation_id, lock=lock), evaluation_id)


def visible_problem(evaluation: Evaluation, viewer_id: str) -> dict[str, Any] | None:
    """Return the problem that an evaluation ended with, to its buyer: it may be another seller."""
    return evaluation.problem if evaluation.request.account_id == viewer_id else None


def visible_reason(evaluation: Evaluation, viewer_id: str) -> str | None:
    """Say why an evaluation failed, to its buyer; or why it was cancelled."""
    if evaluation.state == "failed" and evaluation.request.account_id != viewer_id:
        return "It failed. Its buyer can read why."
    return evaluation.reason


def _found(evaluation: Evaluation | None, evaluation_id: str) -> Evaluation:
    if evaluation is None:
        raise NotFound(f"There is no evaluation {evaluation_id}.", received=evaluation_id)
    return evaluation
