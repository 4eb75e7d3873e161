"""Publish and read the encryption keys of accounts."""

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.sealed_boxes import AccountKey

from ..http.missing import missing
from ..http.problems import Forbidden, NotFound
from . import repository
from .models import EncryptionKey
from .principal import Principal
from .service import require_widest_key


class EncryptionKeyMissing(NotFound):
    """The account has not published an encryption key yet."""

    slug, title = "encryption-key-missing", "Encryption key missing"


def read_encryption_key(session: Session, account_id: str) -> wire.EncryptionKey:
    """Return the public key of any account.

    Raises
    ------
    NotFound
        If there is no such account.
    EncryptionKeyMissing
        If the account has not published a key.
    """
    key = repository.encryption_key_of(session, account_id)
    if key is not None:
        return _to_wire(key)
    if repository.account_with_id(session, account_id) is None:
        raise missing("account", account_id)
    raise EncryptionKeyMissing(
        f"Account {account_id} has not published an encryption key. The SDK publishes one with the "
        "account's first sealed request or contribution.",
        received=account_id,
    )


def publish_encryption_key(
    session: Session, caller: Principal, account_id: str, public_key: str
) -> wire.EncryptionKey:
    """Publish the caller's public key in place of the previous one.

    Raises
    ------
    Forbidden
        If the account is not the caller's own; administrators are refused, too. Also if this would
        replace a public key, the caller is no administrator, and another API key of the account has
        scopes that the caller's API key lacks.
    """
    if account_id != caller.account_id:
        raise Forbidden(
            f"Expected your own account {caller.account_id}; received {account_id}. Only the "
            "account itself publishes its encryption key.",
            expected=caller.account_id,
            received=account_id,
        )
    key = repository.encryption_key_to_replace(session, account_id)
    if key is None:
        key = EncryptionKey(account_id=account_id, public_key=public_key)
        session.add(key)
    elif key.public_key != public_key:
        # Boxes that were sealed to the replaced key can no longer be opened.
        require_widest_key(session, caller)
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
