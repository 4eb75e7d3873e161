"""HTTP of an account's own caps."""

from fastapi import APIRouter

from app.accounts import caps
from app.accounts.authentication import Seller
from app.accounts.caps import NewCaps
from app.kit.dependencies import DatabaseDependency
from app.kit.ids import PathId
from wassay import models as wire

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
