"""Queries of the ledger: an account sees its own rows, and those of what it was shown."""

from collections.abc import Collection, Sequence

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from app.accounts.models import Account
from app.ledger.models import Disclosure


def owned_by(account_id: str) -> Select[Disclosure]:
    """Select an account's ledger."""
    return select(Disclosure).where(Disclosure.owner_id == account_id)


def shown_to(account_id: str) -> Select[Disclosure]:
    """Select what an account was shown of others' data."""
    return select(Disclosure).where(Disclosure.viewer_id == account_id)


def of_request(session: Session, account_id: str, request_id: str) -> Sequence[Disclosure]:
    """Return what a request disclosed of an account's data, and to it, oldest first."""
    return session.scalars(
        select(Disclosure)
        .where(
            Disclosure.request_id == request_id,
            or_(Disclosure.owner_id == account_id, Disclosure.viewer_id == account_id),
        )
        .order_by(Disclosure.created_at, Disclosure.id)
    ).all()


def all_of(session: Session, account_id: str) -> Sequence[Disclosure]:
    """Return an account's whole ledger, oldest first."""
    return session.scalars(owned_by(account_id).order_by(Disclosure.position)).all()


def lock(session: Session, owner_ids: Collection[str]) -> None:
    """Hold the ledgers of some accounts until the transaction ends.

    In the order of their ids, so that nobody who does the same waits for somebody who waits.
    """
    session.execute(
        select(Account.id)
        .where(Account.id.in_(owner_ids))
        .order_by(Account.id)
        .with_for_update(key_share=True)
    ).all()


def last_of(session: Session, owner_id: str) -> Disclosure | None:
    """Return the newest row of an account's ledger."""
    return session.scalars(
        owned_by(owner_id).order_by(Disclosure.position.desc()).limit(1)
    ).one_or_none()


def said_of(session: Session, owner_id: str, request_ids: Collection[str]) -> list[Disclosure]:
    """Return what an account's ledger says of some requests."""
    rows = owned_by(owner_id).where(Disclosure.request_id.in_(request_ids))
    return list(session.scalars(rows))


def organisations(session: Session, account_ids: Collection[str]) -> dict[str, str]:
    """Return the organisations of some accounts."""
    rows = session.execute(
        select(Account.id, Account.organisation).where(Account.id.in_(account_ids))
    )
    return dict(rows.all())
