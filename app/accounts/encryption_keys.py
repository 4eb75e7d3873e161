"""The rules of encryption keys: an account sets its own, and everybody may read it."""

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.sealing import AccountKey

from ..kit.problems import Forbidden, NotFound
from . import repository
from .authentication import Principal
from .models import EncryptionKey


class EncryptionKeyMissing(NotFound):
    """The account has published no encryption key yet."""

    slug, title = "encryption-key-missing", "Encryption key missing"


def read_encryption_key(session: Session, account_id: str) -> wire.EncryptionKey:
    """Return the public key of any account.

    Raises
    ------
    NotFound
        If there is no such account.
    EncryptionKeyMissing
        If it has published none.
    """
    key = repository.encryption_key_of(session, account_id)
    if key is not None:
        return _to_wire(key)
    if repository.account_with_id(session, account_id) is None:
        raise NotFound(f"There is no account {account_id}.", received=account_id)
    raise EncryptionKeyMissing(
        f"Account {account_id} has published no encryption key; it does so with its first sealed "
        "request or answer.",
        received=account_id,
    )


def publish_encryption_key(
    session: Session, caller: Principal, account_id: str, public_key: str
) -> wire.EncryptionKey:
    """Set the caller's public key, in place of any before.

    Raises
    ------
    Forbidden
        If the account is not the caller's own: not even an administrator sets another's.
    """
    if account_id != caller.account_id:
        raise Forbidden(
            "An account's encryption key is set by itself only.",
            expected=caller.account_id,
            received=account_id,
        )
    key = repository.encryption_key_to_set(session, account_id)
    if key is None:
        key = EncryptionKey(account_id=account_id, public_key=public_key)
        session.add(key)
    else:
        key.public_key = public_key
    session.flush()
    return _to_wire(key)


def _to_wire(key: EncryptionKey) -> wire.EncryptionKey:
    return wire.EncryptionKey(
        account_id=key.account_id,
        public_key=key.public_key,
        fingerprint=AccountKey.from_text(key.public_key).fingerprint,
        created_at=key.created_at,
        updated_at=key.updated_at,
    )
