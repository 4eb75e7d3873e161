"""Queries of accounts, API keys and encryption keys."""

from datetime import datetime, timedelta

from sqlalchemy import Select, or_, select, update
from sqlalchemy.orm import Session

from wassay.organisations import organisation_key

from ..database import clock_timestamp
from .confusable_names import skeleton
from .models import Account, ApiKey, EncryptionKey


def all_accounts() -> Select[Account]:
    """Select every account, for administrators."""
    return select(Account)


def confusable_organisation(session: Session, organisation: str) -> str | None:
    """Return the name of another organisation that looks like this one."""
    return session.scalars(
        select(Account.organisation)
        .where(
            Account.organisation_skeleton == skeleton(organisation),
            Account.organisation_key != organisation_key(organisation),
        )
        .limit(1)
    ).first()


def account_with_id(session: Session, account_id: str) -> Account | None:
    """Return an account."""
    return session.get(Account, account_id)


def live_keys(account_id: str) -> Select[ApiKey]:
    """Select the unrevoked keys of an account."""
    return select(ApiKey).where(ApiKey.account_id == account_id, ApiKey.revoked_at.is_(None))


def key_with_hash(session: Session, hash_: str) -> tuple[ApiKey, datetime] | None:
    """Return the key with this hash, valid or not, with its account, and the database's time."""
    row = session.execute(
        select(ApiKey, clock_timestamp()).where(ApiKey.hash == hash_)
    ).one_or_none()
    return None if row is None else (row[0], row[1])


def live_key(session: Session, key_id: str) -> ApiKey | None:
    """Return and lock an unrevoked key of any account, for the operator."""
    return session.scalars(
        select(ApiKey)
        .where(ApiKey.id == key_id, ApiKey.revoked_at.is_(None))
        .with_for_update(of=ApiKey, key_share=True)
    ).one_or_none()


def key_of_account(session: Session, account_id: str, key_id: str) -> ApiKey | None:
    """Return and lock an unrevoked key of an account."""
    return session.scalars(
        live_keys(account_id).where(ApiKey.id == key_id).with_for_update(of=ApiKey, key_share=True)
    ).one_or_none()


def note_use(session: Session, key_id: str, used_at: datetime, precision: timedelta) -> None:
    """Record when a key was used; if several calls record it at once, one of them writes."""
    session.execute(
        update(ApiKey)
        .where(
            ApiKey.id == key_id,
            or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at <= used_at - precision),
        )
        .values(last_used_at=used_at)
    )


def encryption_key_of(session: Session, account_id: str) -> EncryptionKey | None:
    """Return an account's encryption key, which any caller may read."""
    return session.get(EncryptionKey, account_id)


def account_to_change(session: Session, account_id: str) -> Account:
    """Return and lock an account."""
    return session.scalars(
        select(Account).where(Account.id == account_id).with_for_update(key_share=True)
    ).one()


def lock_organisation(session: Session, organisation_key: str) -> None:
    """Lock the accounts of an organisation, so that its limits are checked one call at a time.

    Lock them before any other row, so that two calls cannot wait for each other.
    """
    session.execute(
        select(Account.id)
        .where(Account.organisation_key == organisation_key)
        .order_by(Account.id)
        .with_for_update(key_share=True)
    )


def encryption_key_to_set(session: Session, account_id: str) -> EncryptionKey | None:
    """Return an account's encryption key, and lock the account to set it."""
    account_to_change(session, account_id)
    return encryption_key_of(session, account_id)
