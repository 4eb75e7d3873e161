"""Finding a request that a caller may see, own or answer; any other does not exist for them."""

from sqlalchemy.orm import Session

from ..accounts.authentication import Principal
from ..database import now
from ..kit.problems import NotFound
from . import repository
from .models import Request, RequestReader
from .presentation import state_of
from .problems import NotInvited, RequestNotOpen


def own_request(
    session: Session, caller: Principal, request_id: str, *, lock: bool = False
) -> Request:
    """Return a buyer's own request; locked, to be changed.

    Raises
    ------
    NotFound
        If the caller has none such.
    """
    return _found(
        repository.one(session, repository.owned_by(caller.account_id), request_id, lock=lock),
        request_id,
    )


def visible_request(
    session: Session, caller: Principal, request_id: str, *, lock: bool = False
) -> Request:
    """Return a request that is the caller's, or that they may answer or have answered.

    Raises
    ------
    NotFound
        If there is none such.
    """
    rows = repository.readable_by(caller.account_id, now(), as_seller="seller" in caller.scopes)
    return _found(repository.one(session, rows, request_id, lock=lock), request_id)


def lock_contributable_request(session: Session, caller: Principal, request_id: str) -> Request:
    """Return a request that a seller may answer now, locked so that it stays open meanwhile.

    Raises
    ------
    NotFound
        If the caller may not see it.
    RequestNotOpen
        If it takes no answers.
    NotInvited
        If it is for invited sellers, and the caller is none of them.
    """
    request = visible_request(session, caller, request_id, lock=True)
    require_open(request)
    answerable = repository.contributable_by(caller.account_id, now())
    if repository.one(session, answerable, request_id, lock=False) is None:
        raise NotInvited(
            f"Request {request_id} is for invited sellers; ask its buyer for an invitation.",
            received=caller.account_id,
        )
    return request


def require_open(request: Request) -> None:
    """Let only what concerns an open request pass.

    Raises
    ------
    RequestNotOpen
        If it is not open.
    """
    state = state_of(request)
    if state != "open":
        raise RequestNotOpen(
            f"Request {request.id} is {state}; only an open one takes answers.",
            expected="open",
            received=state,
        )


def grant_read(session: Session, request: Request, account_id: str, *, measure: bool) -> None:
    """Let a seller who answers a locked request read it from now on, and its measure or not."""
    reader = repository.reader(session, request.id, account_id)
    if reader is None:
        session.add(
            RequestReader(request_id=request.id, account_id=account_id, reads_measure=measure)
        )
    else:
        reader.reads_measure = measure


def _found(request: Request | None, request_id: str) -> Request:
    if request is None:
        raise NotFound(f"There is no request {request_id}.", received=request_id)
    return request
