"""Read a receipt: of a whole evaluation for its buyer, of a seller's own part for the seller."""

from typing import cast

from sqlalchemy.orm import Session

from ...accounts.principal import Principal
from ...receipts import repository
from ...receipts.models import Receipt
from ..access import visible_evaluation
from .results import require_result


def read_receipt(session: Session, caller: Principal, evaluation_id: str) -> Receipt:
    """Return the receipt of the whole evaluation to its buyer, or of a seller's part to the seller.

    Raises
    ------
    NotFound
        If there is no such evaluation, or the caller may not see it.
    EvaluationNotFinished
        If the evaluation is waiting or running.
    EvaluationWithoutResult
        If the evaluation failed or was cancelled.
    """
    evaluation = visible_evaluation(session, caller, evaluation_id)
    require_result(evaluation, caller)
    is_buyer = evaluation.request.account_id == caller.as_buyer
    own = next(
        used.contribution_id
        for used in evaluation.contributions
        if is_buyer or used.contribution.account_id == caller.account_id
    )
    return cast("Receipt", repository.receipt_of(session, evaluation_id, None if is_buyer else own))
