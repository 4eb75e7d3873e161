"""Queries of accounts, API keys and encryption keys."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Select, bindparam, or_, select, update
from sqlalchemy.orm import Session

from wassay.organisations import organisation_key

from ..database import clock_timestamp
from .confusable_names import skeleton
from .models import Account, ApiKey, EncryptionKey


def all_accounts() -> Select[Account]:
    """Select all accounts, whatever their organisation; only for administrators."""
    return select(Account)


def confusable_organisation(session: Session, organisation: str) -> str | None:
    """Return the name of another organisation that looks like `organisation`, or None."""
    return session.scalars(
        select(Account.organisation)
        .where(
            Account.organisation_skeleton == skeleton(organisation),
            Account.organisation_key != organisation_key(organisation),
        )
        .limit(1)
    ).first()


def account_with_id(session: Session, account_id: str) -> Account | None:
    """Return the account with this id, or None."""
    return session.get(Account, account_id)


def unrevoked_keys(account_id: str) -> Select[ApiKey]:
    """Select the unrevoked keys of an account, including expired ones."""
    return select(ApiKey).where(ApiKey.account_id == account_id, ApiKey.revoked_at.is_(None))


@dataclass(frozen=True, slots=True)
class PresentedKey:
    """An API key and its account, as read from the database at the time `read_at`."""

    id: str
    account_id: str
    scopes: list[str]
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    organisation: str
    name: str
    closed_at: datetime | None
    disabled_at: datetime | None
    read_at: datetime

    @property
    def is_valid(self) -> bool:
        """Whether the key was valid at the time `read_at`, and its account not closed."""
        is_unexpired = self.expires_at is None or self.read_at < self.expires_at
        return is_unexpired and self.revoked_at is None and self.closed_at is None


# Single columns: building the objects of both rows would take as long as the query itself.
_PRESENTED_KEY = (
    select(
        *(ApiKey.id, ApiKey.account_id, ApiKey.scopes),
        *(ApiKey.expires_at, ApiKey.revoked_at, ApiKey.last_used_at),
        *(Account.organisation, Account.name, Account.closed_at, Account.disabled_at),
        clock_timestamp().label("read_at"),
    )
    .join(Account, Account.id == ApiKey.account_id)
    .where(ApiKey.hash == bindparam("hash"))
)


def key_with_hash(connection: Connection, hash_: str) -> PresentedKey | None:
    """Return the key with this hash, valid or not, or None."""
    row = connection.execute(_PRESENTED_KEY, {"hash": hash_}).mappings().one_or_none()
    return None if row is None else PresentedKey(**row)


def accepted_keys(session: Session, key_ids: Collection[str | None]) -> set[str]:
    """Return those of the ids that belong to valid keys of enabled accounts."""
    return set(
        session.scalars(
            select(ApiKey.id)
            .join(Account, Account.id == ApiKey.account_id)
            .where(
                ApiKey.id.in_(key_ids),
                ApiKey.revoked_at.is_(None),
                or_(ApiKey.expires_at.is_(None), ApiKey.expires_at > clock_timestamp()),
                Account.closed_at.is_(None),
                Account.disabled_at.is_(None),
            )
        )
    )


def unrevoked_key(session: Session, key_id: str) -> ApiKey | None:
    """Return and lock the unrevoked key with this id, or None. Only for the operator."""
    return session.scalars(
        select(ApiKey)
        .where(ApiKey.id == key_id, ApiKey.revoked_at.is_(None))
        .with_for_update(of=ApiKey, key_share=True)
    ).one_or_none()


def key_of_account(session: Session, account_id: str, key_id: str) -> ApiKey | None:
    """Return and lock the account's unrevoked key with this id, or None."""
    return session.scalars(
        unrevoked_keys(account_id)
        .where(ApiKey.id == key_id)
        .with_for_update(of=ApiKey, key_share=True)
    ).one_or_none()


def note_use(session: Session, key_id: str, used_at: datetime, precision: timedelta) -> None:
    """Record the use of a key.

    Do nothing if the recorded use is newer than `used_at` − `precision`.
    """
    session.execute(
        update(ApiKey)
        .where(
            ApiKey.id == key_id,
            or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at <= used_at - precision),
        )
        .values(last_used_at=used_at)
    )


def encryption_key_of(session: Session, account_id: str) -> EncryptionKey | None:
    """Return an account's encryption key, or None."""
    return session.get(EncryptionKey, account_id)


def account_to_change(session: Session, account_id: str) -> Account:
    """Return and lock an account."""
    return session.scalars(
        select(Account).where(Account.id == account_id).with_for_update(key_share=True)
    ).one()


_LOCK_ORGANISATION = (
    select(Account.id)
    .where(Account.organisation_key == bindparam("organisation_key"))
    .order_by(Account.id)
    .with_for_update(key_share=True)
)


def lock_organisation(session: Session, organisation_key: str) -> None:
    """Lock an organisation's accounts, so that only one call at a time checks its limits.

    Call this before locking any other row, so that two calls never wait for each other.
    """
    session.execute(_LOCK_ORGANISATION, {"organisation_key": organisation_key})


def encryption_key_to_replace(session: Session, account_id: str) -> EncryptionKey | None:
    """Lock an account, and return its current encryption key; None if it has none."""
    account_to_change(session, account_id)
    return encryption_key_of(session, account_id)
