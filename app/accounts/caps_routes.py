"""HTTP of an account's own caps."""

from fastapi import APIRouter

from wassay import models as wire

from ..kit.dependencies import DatabaseDependency
from ..kit.ids import PathId
from . import caps
from .authentication import Seller
from .caps import NewCaps

router = APIRouter(prefix="/v1/accounts/{account_id}/caps", tags=["accounts"])


@router.get("")
def read_caps(account_id: PathId, caller: Seller, database: DatabaseDependency) -> wire.Caps:
    """Read one's own caps: for one's datasets whose listing has none, or that have no listing."""
    with database.snapshot() as session:
        return caps.read_caps(session, caller, account_id)


@router.put("")
def set_caps(
    account_id: PathId, body: NewCaps, caller: Seller, database: DatabaseDependency
) -> wire.Caps:
    """Set one's own caps; they hold from the next evaluation on."""
    with database.transaction() as session:
        return caps.set_caps(session, caller, account_id, body)
