"""HTTP of encryption keys."""

from fastapi import APIRouter

from app.accounts import encryption_keys
from app.accounts.authentication import Caller
from app.accounts.encryption_keys import EncryptionKeyMissing
from app.accounts.schemas import NewEncryptionKey
from app.kit.dependencies import DatabaseDependency
from app.kit.documentation import problems
from app.kit.ids import PathId
from app.kit.problems import NotFound
from wassay import models as wire

router = APIRouter(prefix="/v1/accounts/{account_id}/encryption-key", tags=["accounts"])


@router.get("", responses=problems(NotFound, EncryptionKeyMissing))
def read_encryption_key(
    account_id: PathId, _caller: Caller, database: DatabaseDependency
) -> wire.EncryptionKey:
    """Read the public key that things are sealed to for an account: anybody's.

    Compare the fingerprint with its owner over another channel: the service could show a wrong key.
    """
    with database.snapshot() as session:
        return encryption_keys.read_encryption_key(session, account_id)


@router.put("")
def publish_encryption_key(
    account_id: PathId, body: NewEncryptionKey, caller: Caller, database: DatabaseDependency
) -> wire.EncryptionKey:
    """Publish one's own public key; what was sealed to the one before can no longer be opened."""
    with database.transaction() as session:
        return encryption_keys.publish_encryption_key(session, caller, account_id, body.public_key)
