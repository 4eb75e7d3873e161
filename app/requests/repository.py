"""Queries of requests, limited to what an account may see.

`buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None; likewise
`seller_id`.
"""

from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    String,
    and_,
    bindparam,
    exists,
    or_,
    select,
)
from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.models import Account
from ..database import clock_timestamp, lock_selected
from ..references.models import Reference
from .models import BuyerMeasure, Invitation, Request, RequestReader
from .states import is_open

SHOWN = tuple(name for name in wire.Request.model_fields if name in Request.__table__.c)
"""The columns of a request that every reader sees.

They are shown unchanged, except that the state of an open request may be shown as `expired`.
"""
SHOWN_OF_MEASURE = tuple(wire.StoredArray.model_fields)
"""The columns of a request's measure that readers of the measure see.

Readers of only the request see all of these except `digest`.
"""

Id = str | BindParameter[str]
Time = datetime | ColumnElement[datetime]
"""A time, or an SQL expression that stands for one in a statement that is built once."""


def owned_by(account_id: Id) -> Select[Request]:
    """Select a buyer's own requests."""
    return select(Request).where(Request.account_id == account_id)


def contributable_by(account_id: str, at: datetime) -> Select[Request]:
    """Select the requests to which a seller may contribute at the time `at`."""
    return select(Request).where(_may_contribute(account_id, at))


def readable_by(buyer_id: Id | None, seller_id: Id | None, at: Time) -> Select[Request]:
    """Select the requests that the caller may read, as a buyer or, at the time `at`, as a seller.

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.
    """
    rule = Request.account_id == buyer_id
    if seller_id is not None:
        rule = or_(rule, _may_contribute(seller_id, at), _has_contributed(seller_id))
    return select(Request).where(rule)


def own(session: Session, buyer_id: str, request_id: str, *, lock: bool) -> Request | None:
    """Return the buyer's own request with this id, or None; with `lock`, lock its row."""
    values = {"buyer_id": buyer_id, "request_id": request_id}
    if lock:
        lock_selected(session, _own_request(), Request.id, values)
    return session.scalars(_own_request(), values).one_or_none()


def may_contribute(session: Session, account_id: str, request_id: str) -> bool:
    """Return whether a seller may contribute to the request with this id now."""
    values = {"account_id": account_id, "request_id": request_id}
    return session.execute(_contributable_request(), values).first() is not None


def readable(
    session: Session, buyer_id: str | None, seller_id: str | None, request_id: str, *, lock: bool
) -> Request | None:
    """Return the request with this id, or None if the caller may not read it now.

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.
    """
    rows = _readable_request(is_seller=seller_id is not None)
    values = {"buyer_id": buyer_id, "seller_id": seller_id, "request_id": request_id}
    if lock:
        lock_selected(session, rows, Request.id, values)
    return session.scalars(rows, values).one_or_none()


def readable_columns(
    connection: Connection, buyer_id: str | None, seller_id: str | None, request_id: str
) -> RowMapping | None:
    """Return the columns of a request that the caller sees; None if the caller may not read it.

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.

    Returns
    -------
    RowMapping or None
        The columns `SHOWN`, `organisation`, `dimension` and `projected_from`; and `reads_measure`:
        whether the caller may read the measure. With the prefix `measure_`, the columns
        `SHOWN_OF_MEASURE`, which are None if the request has no measure.
    """
    # One statement that selects columns takes half as long as a transaction that loads objects.
    rows = _readable_columns(is_seller=seller_id is not None)
    values = {"buyer_id": buyer_id, "seller_id": seller_id, "request_id": request_id}
    return connection.execute(rows, values).mappings().one_or_none()


def requests_with_readable_measure(
    session: Session,
    buyer_id: str | None,
    seller_id: str | None,
    requests: Collection[Request],
) -> set[str]:
    """Return the ids of the given requests whose measure the caller may read.

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.
    """
    own = {request.id for request in requests if request.account_id == buyer_id}
    revealed = {request.id for request in requests if request.reveals_measure} - own
    if seller_id is None or not revealed:
        return own
    needed = select(Request.id).where(Request.id.in_(revealed), _needs_measure(seller_id))
    return own | set(session.scalars(needed))


def readable_reference(
    session: Session,
    buyer_id: str | None,
    seller_id: str | None,
    reference_id: str,
    at: datetime,
) -> Reference | None:
    """Return the reference with this id, or None if the caller may not read it at the time `at`.

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.
    """
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
    """Return a seller's right to read a request; None if the seller has not contributed to it."""
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
def _own_request() -> Select[Request]:
    return owned_by(bindparam("buyer_id")).where(Request.id == bindparam("request_id"))


@cache
def _contributable_request() -> Select[str]:
    rule = _may_contribute(bindparam("account_id"), clock_timestamp())
    return select(Request.id).where(Request.id == bindparam("request_id"), rule)


@cache
def _readable_request(*, is_seller: bool) -> Select[Request]:
    """Select the request that the bound parameter `request_id` names, if the caller may read it.

    The caller's account is in the bound parameters `buyer_id` and, if `is_seller`, `seller_id`.
    """
    # Cached, because the statement is slower to build than to execute.
    seller_id = bindparam("seller_id", type_=String) if is_seller else None
    rows = readable_by(bindparam("buyer_id", type_=String), seller_id, clock_timestamp())
    return rows.where(Request.id == bindparam("request_id"))


@cache
def _readable_columns(*, is_seller: bool) -> Select[Any]:
    reads_measure = Request.account_id == bindparam("buyer_id", type_=String)
    if is_seller:
        needed = _needs_measure(bindparam("seller_id", type_=String))
        reads_measure = or_(reads_measure, and_(Request.reveals_measure, needed))
    measure = BuyerMeasure.__table__.c
    return (
        _readable_request(is_seller=is_seller)
        .join(Account, Account.id == Request.account_id)
        .join(Reference, Reference.id == Request.reference_id)
        .outerjoin(BuyerMeasure, BuyerMeasure.request_id == Request.id)
        .with_only_columns(
            *(Request.__table__.c[name] for name in SHOWN),
            *(Account.organisation, Reference.dimension, Reference.projected_from),
            *(measure[name].label(f"measure_{name}") for name in SHOWN_OF_MEASURE),
            reads_measure.label("reads_measure"),
        )
    )


def _needs_measure(seller_id: Id) -> ColumnElement[bool]:
    return exists().where(
        RequestReader.request_id == Request.id,
        RequestReader.account_id == seller_id,
        RequestReader.reads_measure,
    )


def _may_contribute(account_id: Id, at: Time) -> ColumnElement[bool]:
    invited = exists().where(
        Invitation.request_id == Request.id, Invitation.account_id == account_id
    )
    return and_(is_open(at), or_(Request.audience == "everyone", invited))


def _has_contributed(account_id: Id) -> ColumnElement[bool]:
    return exists().where(
        RequestReader.request_id == Request.id, RequestReader.account_id == account_id
    )
