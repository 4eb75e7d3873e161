"""Delete the buyer's measure of a request."""

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from ..accounts.principal import Principal
from ..arrays.deletion import schedule_deletion
from ..database import database_time
from ..evaluations import repository
from ..evaluations.models import Evaluation, ScoredPoints
from ..requests.access import own_request
from ..requests.models import Invitation, Request
from ..requests.states import state_of
from .problems import EvaluationUnfinished, RequestStillOpen


def delete_measure(session: Session, caller: Principal, request_id: str) -> None:
    """Delete the measure of the caller's request, the measure's scores, and the sealed keys.

    Results, receipts and the ledger stay.

    Raises
    ------
    NotFound
        If the caller has no such request.
    RequestStillOpen
        If the request is open.
    EvaluationUnfinished
        If an evaluation of the request is waiting or running.
    """
    request = own_request(session, caller, request_id, lock=True)
    if state_of(request) == "open":
        raise RequestStillOpen(
            f"Expected request {request_id} to be closed or cancelled; it is open, so its sellers "
            "and evaluations need the measure. Close or cancel the request first.",
            expected=["draft", "closed", "cancelled", "expired"],
            received="open",
        )
    unfinished = repository.unfinished_ids(session, request_id)
    if unfinished:
        raise EvaluationUnfinished(
            f"The measure of request {request_id} is needed by an evaluation that is waiting or "
            f"running: {', '.join(unfinished)}. Cancel it, or wait until it has ended.",
            received=unfinished,
        )
    erase_measure(session, request)


def erase_measure(session: Session, request: Request) -> None:
    """Delete the measure of a request, the scores of its points, and the request's sealed keys.

    Lock the request's row first, and check that no unfinished evaluation needs the measure.
    """
    session.execute(
        update(Invitation).where(Invitation.request_id == request.id).values(sealed_key=None)
    )
    measure = request.measure
    if measure is None or measure.deleted_at is not None:
        return
    schedule_deletion(session, measure.digest)
    if request.state == "draft":
        session.delete(measure)
        return
    # Caps compare later measures with the number of points and the fingerprint, which stay.
    measure.deleted_at = database_time(session)
    evaluations = select(Evaluation.id).where(Evaluation.request_id == request.id)
    session.execute(
        delete(ScoredPoints).where(
            ScoredPoints.evaluation_id.in_(evaluations), ScoredPoints.contribution_id.is_(None)
        )
    )
