"""HTTP of the ledger."""

from typing import Annotated

from fastapi import APIRouter, Query

from wassay import models as wire

from ..accounts.authentication import Caller
from ..kit.dependencies import DatabaseDependency
from ..kit.documentation import problems
from ..kit.ids import Id
from ..kit.pagination import BadCursor, PageQueryDependency
from . import service

router = APIRouter(prefix="/v1/disclosures", tags=["disclosures"])


@router.get("", responses=problems(BadCursor))
def list_disclosures(
    caller: Caller,
    database: DatabaseDependency,
    query: PageQueryDependency,
    role: Annotated[
        service.Role,
        Query(description="`owner`: who saw one's own data; `viewer`: what one saw of others'."),
    ] = "owner",
    request_id: Annotated[Id | None, Query(description="Of one request only.")] = None,
) -> wire.Page[wire.Disclosure]:
    """Read one's ledger: who has come to see what of one's data; a chain that can be verified."""
    with database.snapshot() as session:
        return service.list_disclosures(session, caller, query, role=role, request_id=request_id)


@router.get("/combined")
def combine_disclosures(caller: Caller, database: DatabaseDependency) -> wire.CombinedDisclosures:
    """Read what every organisation can compute from all it has seen of one's data."""
    with database.snapshot() as session:
        return service.combine(session, caller)
