"""Routes of sealed keys."""

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Buyer, Caller
from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.parameters import PathId
from ..http.problems import NotFound
from ..http.resource_router import ResourceRouter
from . import sealed_keys
from .problems import ReferenceOpen, RequestNotOpen
from .schemas import NewSealedKey

router = ResourceRouter(
    route_class=AuthenticatedRoute,
    prefix="/v1/requests/{request_id}/sealed-keys/{account_id}",
    tags=["requests"],
)


@router.put("", responses=problems(NotFound, ReferenceOpen, RequestNotOpen))
def upload_sealed_key(
    request_id: PathId,
    account_id: PathId,
    body: NewSealedKey,
    caller: Buyer,
    database: DatabaseDependency,
) -> wire.SealedKey:
    """Upload the key of the sealed reference for an invited seller, encrypted to that seller."""
    with database.transaction() as session:
        return sealed_keys.store_sealed_key(session, caller, request_id, account_id, body.box)


@router.get("", responses=problems(NotFound))
def read_sealed_key(
    request_id: PathId, account_id: PathId, caller: Caller, database: DatabaseDependency
) -> wire.SealedKey:
    """Read the key of the sealed reference for a seller, as that seller or as the buyer.

    Only the seller can decrypt the key.
    """
    with database.snapshot() as session:
        return sealed_keys.read_sealed_key(session, caller, request_id, account_id)
