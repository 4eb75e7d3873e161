"""Queries of requests, limited to what the account may see."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select
from sqlalchemy.orm import Session

from wassay.models import RequestState

from ..references.models import Reference
from .models import Invitation, Request, RequestReader


def owned_by(account_id: str) -> Select[Request]:
    """Select a buyer's own requests."""
    return select(Request).where(Request.account_id == account_id)


def contributable_by(account_id: str, at: datetime) -> Select[Request]:
    """Select the requests that a seller may contribute to."""
    return select(Request).where(_may_contribute(account_id, at))


def readable_by(buyer_id: str | None, seller_id: str | None, at: datetime) -> Select[Request]:
    """Select a buyer's requests, and those that a seller may or did contribute to."""
    rule = Request.account_id == buyer_id
    if seller_id is not None:
        rule = or_(rule, _may_contribute(seller_id, at), _has_contributed(seller_id))
    return select(Request).where(rule)


def in_state(state: RequestState, at: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for a state; an open request past `expires_at` is `expired`."""
    if state == "open":
        return _is_open(at)
    if state == "expired":
        return and_(Request.state == "open", Request.expires_at <= at)
    return Request.state == state


def one(session: Session, rows: Select[Request], request_id: str, *, lock: bool) -> Request | None:
    """Return one of the selected requests, locked if it is to be changed."""
    rows = rows.where(Request.id == request_id)
    if lock:
        # Lock before reading: a statement that waits for a lock rereads only the locked row, and
        # not the joined ones.
        session.execute(rows.with_only_columns(Request.id).with_for_update(key_share=True))
    return session.scalars(rows).one_or_none()


def requests_with_readable_measure(
    session: Session,
    buyer_id: str | None,
    seller_id: str | None,
    request_ids: Collection[str],
) -> set[str]:
    """Return the ids of requests whose measure their buyer or a seller may read."""
    needed = and_(
        Request.reveals_measure,
        exists().where(
            RequestReader.request_id == Request.id,
            RequestReader.account_id == seller_id,
            RequestReader.reads_measure,
        ),
    )
    rule = or_(Request.account_id == buyer_id, needed)
    return set(session.scalars(select(Request.id).where(Request.id.in_(request_ids), rule)))


def readable_reference(
    session: Session,
    buyer_id: str | None,
    seller_id: str | None,
    reference_id: str,
    at: datetime,
) -> Reference | None:
    """Return a reference of a buyer, or of a request that the buyer or seller may read."""
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
    """Return the access of a seller who has contributed to a request."""
    return session.get(RequestReader, (request_id, account_id))


def invitations_to(request_id: str) -> Select[Invitation]:
    """Select the invitations to a request."""
    return select(Invitation).where(Invitation.request_id == request_id)


def invitation_of(session: Session, request_id: str, account_id: str) -> Invitation | None:
    """Return the invitation of an account to a request."""
    return session.scalars(
        invitations_to(request_id).where(Invitation.account_id == account_id)
    ).one_or_none()


def invitation_with_id(session: Session, request_id: str, invitation_id: str) -> Invitation | None:
    """Return an invitation to a request."""
    return session.scalars(
        invitations_to(request_id).where(Invitation.id == invitation_id)
    ).one_or_none()


def _is_open(at: datetime) -> ColumnElement[bool]:
    return and_(Request.state == "open", or_(Request.expires_at.is_(None), Request.expires_at > at))


def _may_contribute(account_id: str, at: datetime) -> ColumnElement[bool]:
    invited = exists().where(
        Invitation.request_id == Request.id, Invitation.account_id == account_id
    )
    return and_(_is_open(at), or_(Request.audience == "everyone", invited))


def _has_contributed(account_id: str) -> ColumnElement[bool]:
    return exists().where(
        RequestReader.request_id == Request.id, RequestReader.account_id == account_id
    )
