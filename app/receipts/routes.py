"""Routes of the keys that verify receipts."""

from wassay import models as wire

from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency
from ..http.resource_router import ResourceRouter
from . import service

router = ResourceRouter(prefix="/v1/receipt-keys", tags=["receipts"])


@router.get("", responses=problems(BadCursor))
def list_receipt_keys(
    database: DatabaseDependency, query: PageQueryDependency
) -> wire.Page[wire.ReceiptKey]:
    """List the public keys that verify receipts, current and retired. No API key is needed."""
    with database.snapshot() as session:
        return service.list_keys(session, query)
