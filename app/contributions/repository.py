"""Queries of contributions.

Sellers see their own contributions; buyers see the contributions to their own requests.
"""

from collections.abc import Collection, Sequence
from functools import cache

from sqlalchemy import BindParameter, Select, String, bindparam, or_, select
from sqlalchemy.orm import Session

from ..database import lock_selected
from ..requests.models import Request
from .models import Contribution

Id = str | BindParameter[str]
"""An id, or a bound parameter that stands for one in a statement that is built once."""


def owned_by(account_id: Id) -> Select[Contribution]:
    """Select a seller's own contributions."""
    return select(Contribution).where(Contribution.account_id == account_id)


def visible_to(buyer_id: Id | None, seller_id: Id | None) -> Select[Contribution]:
    """Select the contributions to the caller's requests, and the caller's own contributions.

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.
    """
    return (
        select(Contribution)
        .join(Contribution.request)
        .where(or_(Contribution.account_id == seller_id, Request.account_id == buyer_id))
    )


def own(
    session: Session, seller_id: str, contribution_id: str, *, lock: bool
) -> Contribution | None:
    """Return the seller's own contribution with this id, or None; with `lock`, lock its row."""
    values = {"seller_id": seller_id, "contribution_id": contribution_id}
    if lock:
        lock_selected(session, _own(), Contribution.id, values)
    return session.scalars(_own(), values).one_or_none()


def visible(
    session: Session, buyer_id: str | None, seller_id: str | None, contribution_id: str
) -> Contribution | None:
    """Return the contribution with this id, or None if the caller may not see it.

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.
    """
    values = {"buyer_id": buyer_id, "seller_id": seller_id, "contribution_id": contribution_id}
    return session.scalars(_visible(), values).one_or_none()


def live_of(session: Session, request_id: str, account_id: str) -> Contribution | None:
    """Return a seller's unwithdrawn contribution to a request, or None."""
    return session.scalars(
        owned_by(account_id).where(
            Contribution.request_id == request_id, Contribution.state != "withdrawn"
        )
    ).one_or_none()


def submitted_to(session: Session, request_id: str, *, lock: bool) -> Sequence[Contribution]:
    """Return the submitted contributions to a request, oldest first; with `lock`, lock them."""
    values = {"request_id": request_id}
    if lock:
        lock_selected(session, _submitted(), Contribution.id, values)
    return session.scalars(_submitted(), values).all()


def lock(session: Session, contribution_ids: Collection[str]) -> None:
    """Lock contributions, oldest first."""
    # In the order of `submitted_to`, so that no transactions deadlock.
    rows = (
        select(Contribution)
        .where(Contribution.id.in_(contribution_ids))
        .order_by(Contribution.created_at, Contribution.id)
    )
    lock_selected(session, rows, Contribution.id)


# Statements of most calls are built once, because building them takes as long as running them.
@cache
def _own() -> Select[Contribution]:
    rows = owned_by(bindparam("seller_id"))
    return rows.where(Contribution.id == bindparam("contribution_id"))


@cache
def _visible() -> Select[Contribution]:
    rows = visible_to(bindparam("buyer_id", type_=String), bindparam("seller_id", type_=String))
    return rows.where(Contribution.id == bindparam("contribution_id"))


@cache
def _submitted() -> Select[Contribution]:
    return (
        select(Contribution)
        .where(
            Contribution.request_id == bindparam("request_id"), Contribution.state == "submitted"
        )
        .order_by(Contribution.created_at, Contribution.id)
    )
