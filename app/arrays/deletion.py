"""Request the deletion of arrays, and lock digests so that no array in use is deleted.

Equal bytes are stored once, so a deleted array may have the same bytes as another owner's. A digest
is locked before a row refers to it, and before its bytes are deleted. So a deletion sees every row
that refers to the bytes, and keeps them if there is one.
"""

from sqlalchemy import text
from sqlalchemy.orm import Session

from .models import ArrayDeletion

LOCK_CLASS = 0x41525259
"""The first half of the keys of arrays' advisory locks; no other lock of the database has it."""

LOCK = text("SELECT pg_advisory_xact_lock(:class, :key)")


def order_deletion(session: Session, digest: str) -> None:
    """Request the deletion of bytes after this transaction, unless a row still refers to them."""
    session.add(ArrayDeletion(digest=digest))


def lock_digest(session: Session, digest: str) -> None:
    """Lock a digest until the transaction ends.

    On SQLite, transactions that write exclude each other anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        key = int.from_bytes(bytes.fromhex(digest[:8]), signed=True)
        session.execute(LOCK, {"class": LOCK_CLASS, "key": key})
