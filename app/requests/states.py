"""Find the state of a request, and require one.

The state `expired` is not stored: it follows from `expires_at`.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, or_

from wassay.models import RequestState

from ..database import now
from .models import Request
from .problems import RequestNotDraft, RequestNotOpen


def state_of(request: Request) -> RequestState:
    """Return the state of a request. An open request after its `expires_at` is `expired`."""
    return state_from(request.state, request.expires_at)


def state_from(stored: str, expires_at: datetime | None) -> RequestState:
    """Return the state of a request, given what its columns `state` and `expires_at` store."""
    if stored == "open" and expires_at is not None and expires_at <= now():
        return "expired"
    state: RequestState = stored  # type: ignore[assignment]
    return state


def require_open(request: Request) -> None:
    """Raise unless a request is open.

    Raises
    ------
    RequestNotOpen
        If the request is not open.
    """
    state = state_of(request)
    if state != "open":
        raise RequestNotOpen(
            f"Expected request {request.id} to be open; it is {state}, and accepts no "
            "contributions.",
            expected="open",
            received=state,
        )


def require_draft(request: Request) -> None:
    """Raise unless a request is a draft.

    Raises
    ------
    RequestNotDraft
        If the request was opened or cancelled.
    """
    if request.state != "draft":
        raise RequestNotDraft(
            f"Expected request {request.id} to be a draft; it is {state_of(request)}, and cannot "
            "change. Create another request.",
            expected="draft",
            received=state_of(request),
        )


def in_state(state: RequestState, at: datetime) -> ColumnElement[bool]:
    """Return the SQL condition that a request is in a state at the time `at`.

    An open request after its `expires_at` is `expired`.
    """
    if state == "open":
        return is_open(at)
    if state == "expired":
        return and_(Request.state == "open", Request.expires_at <= at)
    return Request.state == state


def is_open(at: datetime | ColumnElement[datetime]) -> ColumnElement[bool]:
    """Return the SQL condition that a request is open at the time `at`."""
    return and_(Request.state == "open", or_(Request.expires_at.is_(None), Request.expires_at > at))
