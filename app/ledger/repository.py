"""Queries of the ledger. An account sees its own rows, and rows that name it as the viewer."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, func, or_, select
from sqlalchemy.orm import Session

from ..accounts.models import Account
from .models import Disclosure


def owned_by(account_id: str) -> Select[Disclosure]:
    """Select the rows of an account's own ledger."""
    return select(Disclosure).where(Disclosure.owner_id == account_id)


def disclosed_to(account_id: str) -> Select[Disclosure]:
    """Select the rows of all ledgers that name an account as the viewer."""
    return select(Disclosure).where(Disclosure.viewer_id == account_id)


def of_request(session: Session, account_id: str, request_id: str) -> Sequence[Disclosure]:
    """Return a request's disclosures that name the account as owner or viewer, oldest first."""
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
    """Lock the ledgers of accounts until the transaction ends."""
    session.execute(_locked(), {"owner_ids": list(owner_ids)}).all()


def heads(session: Session, owner_ids: Collection[str]) -> dict[str, tuple[int, str]]:
    """Return the position and the hash of the newest row of each owner's ledger, keyed by owner.

    Leave out owners whose ledger is empty.
    """
    rows = session.execute(_heads(), {"owner_ids": list(owner_ids)})
    return {owner_id: (position, row_hash) for owner_id, position, row_hash in rows}


def identities(
    session: Session, owner_ids: Collection[str], request_ids: Collection[str]
) -> set[tuple[object, ...]]:
    """Return the `LedgerEntry.identity` of each of the owners' disclosures under the requests."""
    ids = {"owner_ids": list(owner_ids), "request_ids": list(request_ids)}
    rows = session.execute(_identities(), ids)
    return {(*fields, *sweep) for *fields, sweep in rows}


def organisations(session: Session, account_ids: Collection[str]) -> dict[str, str]:
    """Return the name of each account's organisation, keyed by the account's id."""
    rows = session.execute(
        select(Account.id, Account.organisation).where(Account.id.in_(account_ids))
    )
    return dict(rows.all())


# Built once, because building a statement takes as long as executing it.

_OWNERS: BindParameter[Any] = bindparam("owner_ids", expanding=True)


@cache
def _locked() -> Select[str]:
    owned = select(Account.id).where(Account.id.in_(_OWNERS))
    # In the order of ids, so that two transactions never wait for each other.
    return owned.order_by(Account.id).with_for_update(key_share=True)


@cache
def _heads() -> Select[str, int, str]:
    newest = select(func.max(Disclosure.position)).where(Disclosure.owner_id == Account.id)
    return (
        select(Disclosure.owner_id, Disclosure.position, Disclosure.hash)
        .join(Account, Account.id == Disclosure.owner_id)
        .where(
            Account.id.in_(_OWNERS),
            Disclosure.position == newest.correlate(Account).scalar_subquery(),
        )
    )


@cache
def _identities() -> Select[str, str, str, str, str | None, str | None, list[float]]:
    return select(
        Disclosure.owner_id,
        Disclosure.request_id,
        Disclosure.dataset,
        Disclosure.kind,
        Disclosure.viewer_id,
        Disclosure.digest,
        Disclosure.sweep,
    ).where(
        Disclosure.owner_id.in_(_OWNERS),
        Disclosure.request_id.in_(bindparam("request_ids", expanding=True)),
    )
