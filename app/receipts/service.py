"""The rules of receipts: who signs them, and that the keys for it stay published."""

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.receipts import SigningKey, VerificationKey

from ..database import now
from ..kit.pagination import PageQuery, page
from . import repository
from .key_file import KeyFile
from .models import Receipt, ReceiptKey


def issue_receipt(
    session: Session, key: SigningKey, receipt: wire.Receipt, contribution_id: str | None
) -> bytes:
    """Sign a receipt with a key that was published, and keep it.

    Returns
    -------
    bytes
        As its reader gets it.
    """
    content = key.sign(receipt)
    session.add(
        Receipt(
            evaluation_id=receipt.evaluation_id,
            contribution_id=contribution_id,
            key_id=key.public.id,
            content=content.decode(),
        )
    )
    return content


def publish_key(session: Session, key: VerificationKey) -> None:
    """Publish a key, unless it is already."""
    repository.insert_key(session, key.id, key.text)


def rotate_key(session: Session, file: KeyFile) -> tuple[VerificationKey, VerificationKey]:
    """Sign with a new key from now on; the one before stays published, as retired.

    Returns
    -------
    before, after
        The two keys.
    """
    before, drawn = file.key().public, SigningKey.draw()
    for key in (before, drawn.public):
        publish_key(session, key)
    retired = repository.key_with_id(session, before.id)
    if retired is not None:
        retired.retired_at = now()
    session.flush()
    file.replace(drawn)
    return before, drawn.public


def list_keys(session: Session, query: PageQuery) -> wire.Page[wire.ReceiptKey]:
    """Return a page of all keys, those in use and the retired ones."""
    return page(session, repository.all_keys(), ReceiptKey, query, key_to_wire)


def key_to_wire(key: ReceiptKey) -> wire.ReceiptKey:
    """Show a key."""
    return wire.ReceiptKey(
        id=key.id,
        public_key=key.public_key,
        created_at=key.created_at,
        retired_at=key.retired_at,
    )
