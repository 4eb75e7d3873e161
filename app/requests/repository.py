"""Queries of requests, limited to what an account may see."""

from collections.abc import Collection
from datetime import datetime
from functools import cache

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    String,
    and_,
    bindparam,
    exists,
    or_,
    select,
)
from sqlalchemy.orm import Session

from wassay.models import RequestState

from ..database import clock_timestamp, lock_selected
from ..references.models import Reference
from .models import Invitation, Request, RequestReader

Id = str | BindParameter[str]
Time = datetime | ColumnElement[datetime]
"""A value, or a bound parameter that stands for one in a statement that is built once."""


def owned_by(account_id: str) -> Select[Request]:
    """Select a buyer's own requests."""
    return select(Request).where(Request.account_id == account_id)


def contributable_by(account_id: str, at: datetime) -> Select[Request]:
    """Select the requests to which a seller may contribute."""
    return select(Request).where(_may_contribute(account_id, at))


def readable_by(buyer_id: Id | None, seller_id: Id | None, at: Time) -> Select[Request]:
    """Select a buyer's requests, and those to which a seller may contribute or has contributed."""
    rule = Request.account_id == buyer_id
    if seller_id is not None:
        rule = or_(rule, _may_contribute(seller_id, at), _has_contributed(seller_id))
    return select(Request).where(rule)


def in_state(state: RequestState, at: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for a state. An open request after its `expires_at` is `expired`."""
    if state == "open":
        return _is_open(at)
    if state == "expired":
        return and_(Request.state == "open", Request.expires_at <= at)
    return Request.state == state


def one(session: Session, rows: Select[Request], request_id: str, *, lock: bool) -> Request | None:
    """Return the selected request with this id, or None; with `lock`, lock its row."""
    rows = rows.where(Request.id == request_id)
    if lock:
        lock_selected(session, rows, Request.id)
    return session.scalars(rows).one_or_none()


def readable(
    session: Session, buyer_id: str | None, seller_id: str | None, request_id: str, *, lock: bool
) -> Request | None:
    """Return the request with this id if `readable_by` selects it now; with `lock`, lock it."""
    rows = _readable_request(is_seller=seller_id is not None)
    values = {"buyer_id": buyer_id, "seller_id": seller_id, "request_id": request_id}
    if lock:
        lock_selected(session, rows, Request.id, values)
    return session.scalars(rows, values).one_or_none()


def requests_with_readable_measure(
    session: Session,
    buyer_id: str | None,
    seller_id: str | None,
    requests: Collection[Request],
) -> set[str]:
    """Return the ids of those requests whose measure the buyer, or the seller, may read."""
    own = {request.id for request in requests if request.account_id == buyer_id}
    revealed = {request.id for request in requests if request.reveals_measure} - own
    if seller_id is None or not revealed:
        return own
    needed = select(RequestReader.request_id).where(
        RequestReader.request_id.in_(revealed),
        RequestReader.account_id == seller_id,
        RequestReader.reads_measure,
    )
    return own | set(session.scalars(needed))


def readable_reference(
    session: Session,
    buyer_id: str | None,
    seller_id: str | None,
    reference_id: str,
    at: datetime,
) -> Reference | None:
    """Return a reference of the buyer, or of a request that the buyer or seller may read."""
    readable = readable_by(buyer_id, seller_id, at)
    return session.scalars(
        select(Reference).where(
            Reference.id == reference_id,
            or_(
                Reference.account_id == buyer_id,
                readable.where(Request.reference_id == Reference.id).exists(),
            ),
        )
    ).one_or_none()


def reader(session: Session, request_id: str, account_id: str) -> RequestReader | None:
    """Return the rights of a seller who has contributed to a request, or None."""
    return session.get(RequestReader, (request_id, account_id))


def invitations_to(request_id: str) -> Select[Invitation]:
    """Select the invitations to a request."""
    return select(Invitation).where(Invitation.request_id == request_id)


def invitation_of(session: Session, request_id: str, account_id: str) -> Invitation | None:
    """Return the invitation of an account to a request, or None."""
    return session.scalars(
        invitations_to(request_id).where(Invitation.account_id == account_id)
    ).one_or_none()


def invitation_with_id(session: Session, request_id: str, invitation_id: str) -> Invitation | None:
    """Return the request's invitation with this id, or None."""
    return session.scalars(
        invitations_to(request_id).where(Invitation.id == invitation_id)
    ).one_or_none()


@cache
def _readable_request(*, is_seller: bool) -> Select[Request]:
    """Build the statement of `readable`, once, because building takes longer than executing."""
    seller_id = bindparam("seller_id", type_=String) if is_seller else None
    rows = readable_by(bindparam("buyer_id", type_=String), seller_id, clock_timestamp())
    return rows.where(Request.id == bindparam("request_id"))


def _is_open(at: Time) -> ColumnElement[bool]:
    return and_(Request.state == "open", or_(Request.expires_at.is_(None), Request.expires_at > at))


def _may_contribute(account_id: Id, at: Time) -> ColumnElement[bool]:
    invited = exists().where(
        Invitation.request_id == Request.id, Invitation.account_id == account_id
    )
    return and_(_is_open(at), or_(Request.audience == "everyone", invited))


def _has_contributed(account_id: Id) -> ColumnElement[bool]:
    return exists().where(
        RequestReader.request_id == Request.id, RequestReader.account_id == account_id
    )
