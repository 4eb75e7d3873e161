"""Queries of receipts and of the public keys that verify them."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import Select, bindparam, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from ..database import clock_timestamp
from .models import Receipt, ReceiptKey


def all_keys(session: Session) -> Sequence[ReceiptKey]:
    """Return all keys, current and retired, oldest first."""
    return session.scalars(select(ReceiptKey).order_by(ReceiptKey.created_at, ReceiptKey.id)).all()


def lock_keys(session: Session) -> None:
    """Lock the set of current keys until the transaction ends."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite needs no such lock
        session.execute(text("SELECT pg_advisory_xact_lock(hashtext('wassay receipt keys'))"))


def current_keys(session: Session) -> Sequence[ReceiptKey]:
    """Return the keys that are not retired, oldest first."""
    return [key for key in all_keys(session) if key.retired_at is None]


def key_with_id(session: Session, key_id: str) -> ReceiptKey | None:
    """Return and lock the key with this id, or None."""
    return session.get(ReceiptKey, key_id, with_for_update={"key_share": True})


def database_time_if_current(session: Session, key_id: str) -> datetime | None:
    """Return the database's present time; None if the key does not exist or is retired.

    The key cannot be retired until the transaction ends.
    """
    row = session.execute(_current_key(), {"key_id": key_id}).one_or_none()
    return None if row is None or row.retired_at is not None else row.moment


@cache  # because building the statement is as slow as executing it
def _current_key() -> Select[datetime | None, datetime]:
    """Select when a key was retired, and the database's present time; lock the key's row.

    The statement's parameter `key_id` is the id of the key.
    """
    return (
        select(ReceiptKey.retired_at, clock_timestamp().label("moment"))
        .where(ReceiptKey.id == bindparam("key_id"))
        .with_for_update(read=True)
    )


def insert_key(session: Session, key_id: str, public_key: str) -> None:
    """Insert a public key; do nothing if it exists already."""
    is_postgres = session.get_bind().dialect.name == "postgresql"
    insert = (postgresql.insert if is_postgres else sqlite.insert)(ReceiptKey)
    session.execute(insert.values(id=key_id, public_key=public_key).on_conflict_do_nothing())


def receipt_of(session: Session, evaluation_id: str, contribution_id: str | None) -> Receipt | None:
    """Return the receipt of a contribution, or of the buyer if `contribution_id` is None."""
    return session.scalars(
        select(Receipt).where(
            Receipt.evaluation_id == evaluation_id,
            Receipt.contribution_id.is_(None)
            if contribution_id is None
            else Receipt.contribution_id == contribution_id,
        )
    ).one_or_none()
