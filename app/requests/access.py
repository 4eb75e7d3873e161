"""Find the requests that a caller may use."""

from sqlalchemy.orm import Session

from ..accounts.principal import Principal
from ..http.missing import missing
from . import repository
from .models import Request, RequestReader
from .problems import NotInvited
from .states import require_open


def own_request(
    session: Session, caller: Principal, request_id: str, *, lock: bool = False
) -> Request:
    """Return the caller's own request; with `lock`, lock it so that it can be changed.

    Raises
    ------
    NotFound
        If the caller has no such request.
    """
    own = repository.own(session, caller.account_id, request_id, lock=lock)
    return _required(own, request_id)


def visible_request(
    session: Session, caller: Principal, request_id: str, *, lock: bool = False
) -> Request:
    """Return a request that the caller owns, may contribute to, or has contributed to.

    With `lock`, lock it so that it cannot change until the transaction ends.

    Raises
    ------
    NotFound
        If there is no such request, or the caller may not see it.
    """
    request = repository.readable(session, caller.as_buyer, caller.as_seller, request_id, lock=lock)
    return _required(request, request_id)


def lock_contributable_request(session: Session, caller: Principal, request_id: str) -> Request:
    """Return a request to which the caller may contribute, locked so that it stays open.

    Raises
    ------
    NotFound
        If there is no such request, or the caller may not see it.
    RequestNotOpen
        If the request is not open.
    NotInvited
        If the request is only for invited sellers, and the caller is not invited.
    """
    request = visible_request(session, caller, request_id, lock=True)
    require_open(request)
    if not repository.may_contribute(session, caller.account_id, request_id):
        raise NotInvited(
            f"Request {request_id} is only for invited sellers, and you are not invited. Ask its "
            "buyer for an invitation.",
            received=caller.account_id,
        )
    return request


def grant_read(session: Session, request: Request, account_id: str, *, measure: bool) -> None:
    """Let a contributing seller read a request, whose row the caller has locked.

    From now on, `measure` decides whether the seller may also read the buyer's measure.
    """
    reader = repository.reader(session, request.id, account_id)
    if reader is None:
        session.add(
            RequestReader(request_id=request.id, account_id=account_id, reads_measure=measure)
        )
    else:
        reader.reads_measure = measure


def _required(request: Request | None, request_id: str) -> Request:
    if request is None:
        raise missing("request", request_id)
    return request
