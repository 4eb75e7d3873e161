"""Schedule the deletion of arrays, and lock digests so that no array in use is deleted."""

from sqlalchemy import text
from sqlalchemy.orm import Session

from .models import ArrayDeletion

LOCK_CLASS = 0x41525259
"""The first half of the key of every advisory lock on an array's digest, and of no other lock."""

LOCK = text("SELECT pg_advisory_xact_lock(:class, :key)")


def schedule_deletion(session: Session, digest: str) -> None:
    """Schedule the deletion of the bytes with a digest.

    The bytes stay if a row refers to them when the deletion is due.
    """
    session.add(ArrayDeletion(digest=digest))


def lock_digest(session: Session, digest: str) -> None:
    """Lock a digest until the transaction ends.

    Call this before adding a row with the digest, and before deleting its bytes.
    """
    # So a deletion sees every row that needs the bytes; equal arrays share them.
    # On SQLite, transactions that write exclude each other anyway.
    if session.get_bind().dialect.name == "postgresql":
        key = int.from_bytes(bytes.fromhex(digest[:8]), signed=True)
        session.execute(LOCK, {"class": LOCK_CLASS, "key": key})
