"""Routes of encryption keys."""

from wassay import models as wire

from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.parameters import PathId
from ..http.problems import NotFound
from ..http.resource_router import ResourceRouter
from . import encryption_keys
from .authentication import AuthenticatedRoute, Caller
from .encryption_keys import EncryptionKeyMissing
from .schemas import NewEncryptionKey

router = ResourceRouter(
    route_class=AuthenticatedRoute,
    prefix="/v1/accounts/{account_id}/encryption-key",
    tags=["accounts"],
)


@router.get("", responses=problems(NotFound, EncryptionKeyMissing))
def read_encryption_key(
    account_id: PathId, _caller: Caller, database: DatabaseDependency
) -> wire.EncryptionKey:
    """Read the public encryption key of any account.

    Compare the key's fingerprint with the owner over another channel, because the service could
    serve a wrong key.
    """
    with database.snapshot() as session:
        return encryption_keys.read_encryption_key(session, account_id)


@router.put("")
def publish_encryption_key(
    account_id: PathId, body: NewEncryptionKey, caller: Caller, database: DatabaseDependency
) -> wire.EncryptionKey:
    """Publish your public key in place of your previous one.

    The new private key cannot open secrets that were sealed to the previous public key.
    """
    with database.transaction() as session:
        return encryption_keys.publish_encryption_key(session, caller, account_id, body.public_key)
