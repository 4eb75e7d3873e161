"""Sign receipts; publish, rotate and retire the signing keys."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.receipts import SigningKey, VerificationKey

from ..database import Database, database_time
from ..http.missing import missing
from ..http.pagination import PageQuery, page
from ..http.problems import Conflict
from . import repository
from .installation_key import NotTheSigningKey
from .key_file import KeyFile
from .models import Receipt, ReceiptKey


class LastKey(Conflict):
    """The key is the installation's only current signing key, so it cannot be retired."""

    slug, title = "last-receipt-key", "Last receipt key"


def database_time_for_signing(session: Session, key: VerificationKey) -> datetime:
    """Return the database's present time; raise if the key may not sign receipts now.

    The key cannot be retired until the transaction ends.

    Raises
    ------
    NotTheSigningKey
        If the key was not published, or was retired.
    """
    moment = repository.database_time_if_current(session, key.id)
    if moment is None:
        raise NotTheSigningKey(
            f"the key {key.id} may not sign receipts of this installation: run wassay "
            "receipt-keys list to see which may"
        )
    return moment


def store_receipts(
    session: Session,
    key: VerificationKey,
    evaluation_id: str,
    receipts: Mapping[str | None, bytes],
) -> None:
    """Store an evaluation's receipts, which `key` has signed.

    `receipts` maps the id of each contribution to the seller's receipt, and None to the buyer's.
    """
    rows = [
        {
            "evaluation_id": evaluation_id,
            "contribution_id": contribution_id,
            "key_id": key.id,
            "content": content.decode(),
        }
        for contribution_id, content in receipts.items()
    ]
    session.execute(insert(Receipt).execution_options(render_nulls=True), rows)


class Rotation(NamedTuple):
    """A new signing key, which is published once the transaction commits.

    Attributes
    ----------
    session
        The open transaction.
    old
        The ids of the keys that were current before.
    current
        The new key.
    """

    session: Session
    old: list[str]
    current: VerificationKey


@contextmanager
def rotate_key(database: Database, file: KeyFile, *, keep: bool = False) -> Iterator[Rotation]:
    """Yield a new signing key; after the block, publish it and write it to `file`.

    If the block raises, nothing changes.

    Parameters
    ----------
    database
        The database with the public keys.
    file
        The file with this machine's private key.
    keep
        Whether the old keys may go on signing. Otherwise they are retired, but stay published.
    """
    drawn = SigningKey.draw()
    with file.written_beside(drawn) as new:
        with database.transaction() as session:
            repository.lock_keys(session)
            old = [key.id for key in repository.current_keys(session)]
            repository.insert_key(session, drawn.public.id, drawn.public.text)
            for key_id in () if keep else old:
                retire_key(session, key_id)
            session.flush()
            yield Rotation(session, old, drawn.public)
        try:
            new.replace(file.path)
        except FileNotFoundError:
            # A worker on this machine may have moved the published key there already.
            if file.existing().public.id != drawn.public.id:
                raise


def retire_key(session: Session, key_id: str) -> None:
    """Retire a key. It stays published, but signs nothing from now on.

    Raises
    ------
    NotFound
        If there is no such key.
    LastKey
        If no other key is current.
    """
    repository.lock_keys(session)
    key = repository.key_with_id(session, key_id)
    if key is None:
        raise missing("receipt key", key_id)
    if not {each.id for each in repository.current_keys(session)} - {key_id}:
        raise LastKey(
            f"Expected another key besides {key_id} that signs receipts; there is none. Draw one "
            "first: wassay receipt-keys rotate."
        )
    key.retired_at = key.retired_at or database_time(session)
    session.flush()


def list_keys(session: Session, query: PageQuery) -> wire.Page[wire.ReceiptKey]:
    """Return a page of all keys, current and retired."""
    return page(session, select(ReceiptKey), ReceiptKey, query, key_to_wire)


def key_to_wire(key: ReceiptKey) -> wire.ReceiptKey:
    """Convert a key to its wire model."""
    return wire.ReceiptKey(
        id=key.id,
        public_key=key.public_key,
        created_at=key.created_at,
        retired_at=key.retired_at,
    )
