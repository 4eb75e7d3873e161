"""Routes of an account's caps."""

from wassay import models as wire

from ..http.dependencies import DatabaseDependency
from ..http.parameters import PathId
from ..http.resource_router import ResourceRouter
from . import caps
from .authentication import AuthenticatedRoute, Seller
from .caps import NewCaps

router = ResourceRouter(
    prefix="/v1/accounts/{account_id}/caps",
    tags=["accounts"],
    route_class=AuthenticatedRoute,
)


@router.get("")
def read_caps(account_id: PathId, caller: Seller, database: DatabaseDependency) -> wire.Caps:
    """Read your caps, which apply to datasets that have no listing, or a listing without caps."""
    with database.snapshot() as session:
        return caps.read_caps(session, caller, account_id)


@router.put("")
def set_caps(
    account_id: PathId, body: NewCaps, caller: Seller, database: DatabaseDependency
) -> wire.Caps:
    """Replace your caps. The new caps apply to later contributions and evaluations."""
    with database.transaction() as session:
        return caps.set_caps(session, caller, account_id, body)
