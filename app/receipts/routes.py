"""HTTP of the keys that receipts are verified with."""

from fastapi import APIRouter

from app.kit.dependencies import DatabaseDependency
from app.kit.documentation import problems
from app.kit.pages import BadCursor, PageQueryDependency
from app.receipts import service
from wassay import models as wire

router = APIRouter(prefix="/v1/receipt-keys", tags=["receipts"])


@router.get("", responses=problems(BadCursor))
def list_receipt_keys(
    database: DatabaseDependency, query: PageQueryDependency
) -> wire.Page[wire.ReceiptKey]:
    """List the public keys that receipts are, or were, signed with; needs no API key."""
    with database.snapshot() as session:
        return service.list_keys(session, query)
