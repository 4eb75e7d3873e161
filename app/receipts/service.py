"""Sign receipts; publish and rotate the signing keys."""

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.receipts import SigningKey, VerificationKey

from ..database import database_time
from ..http.pagination import PageQuery, page
from . import repository
from .key_file import KeyFile
from .models import Receipt, ReceiptKey


def issue_receipt(
    session: Session, key: SigningKey, receipt: wire.Receipt, contribution_id: str | None
) -> bytes:
    """Sign a receipt with a published key, and store it.

    Returns
    -------
    bytes
        The signed document.
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
    """Publish a key; do nothing if it is published."""
    repository.insert_key(session, key.id, key.text)


def rotate_key(session: Session, file: KeyFile) -> tuple[VerificationKey, VerificationKey]:
    """Replace the signing key; the old one stays published, as retired.

    Returns
    -------
    retired, current
        The old key and the new one.
    """
    before, drawn = file.key().public, SigningKey.draw()
    for key in (before, drawn.public):
        publish_key(session, key)
    retired = repository.key_with_id(session, before.id)
    if retired is not None:
        retired.retired_at = database_time(session)
    session.flush()
    file.replace(drawn)
    return before, drawn.public


def list_keys(session: Session, query: PageQuery) -> wire.Page[wire.ReceiptKey]:
    """Return a page of all keys, in use or retired."""
    return page(session, repository.all_keys(), ReceiptKey, query, key_to_wire)


def key_to_wire(key: ReceiptKey) -> wire.ReceiptKey:
    """Convert a key to its wire model."""
    return wire.ReceiptKey(
        id=key.id,
        public_key=key.public_key,
        created_at=key.created_at,
        retired_at=key.retired_at,
    )
