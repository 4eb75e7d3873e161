"""Request the deletion of arrays, and lock digests so that no array in use is deleted.

Equal bytes are stored once, so an array to delete may have the same bytes as another owner's array.
A digest is locked before a row refers to it, and before its bytes are deleted. So a deletion sees
every row that refers to the bytes, and keeps the bytes if there is such a row.
"""

from sqlalchemy import text
from sqlalchemy.orm import Session

from .models import ArrayDeletion

LOCK_CLASS = 0x41525259
"""The first half of the key of every advisory lock on an array's digest, and of no other lock."""

LOCK = text("SELECT pg_advisory_xact_lock(:class, :key)")


def order_deletion(session: Session, digest: str) -> None:
    """Request to delete the bytes with a digest after this transaction, unless a row uses them."""
    session.add(ArrayDeletion(digest=digest))


def lock_digest(session: Session, digest: str) -> None:
    """Lock a digest until the transaction ends.

    On SQLite nothing needs to be done, because transactions that write exclude each other.
    """
    if session.get_bind().dialect.name == "postgresql":
        key = int.from_bytes(bytes.fromhex(digest[:8]), signed=True)
        session.execute(LOCK, {"class": LOCK_CLASS, "key": key})
