"""Queries of the ledger: an account sees its own rows, and those of what it was shown."""

from collections.abc import Collection, Sequence

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session

from ..accounts.models import Account
from .models import Disclosure


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


def heads(session: Session, owner_ids: Collection[str]) -> dict[str, tuple[int, str]]:
    """Return the position and the hash of the newest row of each account's ledger that has any."""
    newest = select(func.max(Disclosure.position)).where(Disclosure.owner_id == Account.id)
    rows = session.execute(
        select(Disclosure.owner_id, Disclosure.position, Disclosure.hash)
        .join(Account, Account.id == Disclosure.owner_id)
        .where(
            Account.id.in_(owner_ids),
            Disclosure.position == newest.correlate(Account).scalar_subquery(),
        )
    )
    return {owner_id: (position, row_hash) for owner_id, position, row_hash in rows}


def identities(
    session: Session, owner_ids: Collection[str], request_ids: Collection[str]
) -> set[tuple[object, ...]]:
    """Return what some accounts' ledgers say of some requests:
    `app.ledger.service.LedgerEntry.identity`.
    """
    rows = session.execute(
        select(
            Disclosure.owner_id,
            Disclosure.request_id,
            Disclosure.dataset,
            Disclosure.kind,
            Disclosure.viewer_id,
            Disclosure.digest,
            Disclosure.sweep,
        ).where(Disclosure.owner_id.in_(owner_ids), Disclosure.request_id.in_(request_ids))
    )
    return {(*what, *sweep) for *what, sweep in rows}


def organisations(session: Session, account_ids: Collection[str]) -> dict[str, str]:
    """Return the organisations of some accounts."""
    rows = session.execute(
        select(Account.id, Account.organisation).where(Account.id.in_(account_ids))
    )
    return dict(rows.all())
