"""Decide who may read an evaluation, and who may read why it failed or was cancelled."""

from typing import Any

from sqlalchemy.orm import Session

from ..accounts.principal import Principal
from ..http.missing import missing
from . import repository
from .models import Evaluation


def visible_evaluation(session: Session, caller: Principal, evaluation_id: str) -> Evaluation:
    """Return an evaluation if the caller is its buyer, or a seller whose contribution it uses.

    Raises
    ------
    NotFound
        If there is no such evaluation, or the caller may not see it.
    """
    visible = repository.visible(session, caller.as_buyer, caller.as_seller, evaluation_id)
    return _require_found(visible, evaluation_id)


def own_evaluation(
    session: Session, caller: Principal, evaluation_id: str, *, lock: bool = False
) -> Evaluation:
    """Return an evaluation if the caller is its buyer; with `lock`, lock its row.

    Raises
    ------
    NotFound
        If the caller has no such evaluation.
    """
    own = repository.own(session, caller.account_id, evaluation_id, lock=lock)
    return _require_found(own, evaluation_id)


def visible_problem(evaluation: Evaluation, viewer: Principal) -> dict[str, Any] | None:
    """Return the problem with which an evaluation failed, if the viewer is its buyer.

    Return None to sellers, because the problem may reveal another seller; None also if the
    evaluation did not fail.
    """
    return evaluation.problem if evaluation.request.account_id == viewer.as_buyer else None


def visible_reason(evaluation: Evaluation, viewer: Principal) -> str | None:
    """Return why an evaluation is in its state; None if there is nothing to say.

    Of a failed or cancelled evaluation, a seller learns only that it failed or was cancelled.
    """
    ended = {"failed": "failed", "cancelled": "was cancelled"}.get(evaluation.state)
    if ended is None or evaluation.request.account_id == viewer.as_buyer:
        return evaluation.reason
    return f"The evaluation {ended}. Only its buyer can read why."


def _require_found(evaluation: Evaluation | None, evaluation_id: str) -> Evaluation:
    if evaluation is None:
        raise missing("evaluation", evaluation_id)
    return evaluation
