"""Queries of contributions. Sellers see their own; buyers see those to their requests."""

from collections.abc import Collection, Sequence

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from ..database import lock_selected
from ..requests.models import Request
from .models import Contribution


def owned_by(account_id: str) -> Select[Contribution]:
    """Select a seller's own contributions."""
    return select(Contribution).where(Contribution.account_id == account_id)


def visible_to(buyer_id: str | None, seller_id: str | None) -> Select[Contribution]:
    """Select the contributions to the buyer's requests, and the seller's own.

    An id of None selects nothing: the caller's key then lacks that scope.
    """
    return (
        select(Contribution)
        .join(Contribution.request)
        .where(or_(Contribution.account_id == seller_id, Request.account_id == buyer_id))
    )


def one(
    session: Session, rows: Select[Contribution], contribution_id: str, *, lock: bool
) -> Contribution | None:
    """Return the selected contribution with this id, or None; with `lock`, lock its row."""
    rows = rows.where(Contribution.id == contribution_id)
    if lock:
        lock_selected(session, rows, Contribution.id)
    return session.scalars(rows).one_or_none()


def live_of(session: Session, request_id: str, account_id: str) -> Contribution | None:
    """Return the contribution to a request that a seller has not withdrawn, or None."""
    return session.scalars(
        owned_by(account_id).where(
            Contribution.request_id == request_id, Contribution.state != "withdrawn"
        )
    ).one_or_none()


def submitted_to(session: Session, request_id: str, *, lock: bool) -> Sequence[Contribution]:
    """Return the submitted contributions to a request, oldest first; with `lock`, lock them."""
    rows = (
        select(Contribution)
        .where(Contribution.request_id == request_id, Contribution.state == "submitted")
        .order_by(Contribution.created_at, Contribution.id)
    )
    if lock:
        lock_selected(session, rows, Contribution.id)
    return session.scalars(rows).all()


def lock(session: Session, contribution_ids: Collection[str]) -> None:
    """Lock contributions in the same order as `submitted_to`, so that no transactions deadlock."""
    rows = (
        select(Contribution)
        .where(Contribution.id.in_(contribution_ids))
        .order_by(Contribution.created_at, Contribution.id)
    )
    lock_selected(session, rows, Contribution.id)
