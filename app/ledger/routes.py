"""Routes of the ledger."""

from typing import Annotated

from fastapi import Query

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Caller
from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.ids import Id
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency
from ..http.resource_router import ResourceRouter
from . import service

router = ResourceRouter(
    prefix="/v1/disclosures", tags=["disclosures"], route_class=AuthenticatedRoute
)


@router.get("", responses=problems(BadCursor))
def list_disclosures(
    caller: Caller,
    database: DatabaseDependency,
    query: PageQueryDependency,
    role: Annotated[
        service.Role,
        Query(
            description="`owner`: disclosures of your data. `viewer`: disclosures of others' data "
            "to you."
        ),
    ] = "owner",
    request_id: Annotated[
        Id | None, Query(description="Only disclosures under this request.")
    ] = None,
) -> wire.Page[wire.Disclosure]:
    """List the disclosures of your data or, for the role `viewer`, the disclosures to you.

    Each row of your ledger contains the hash of the row before it, so changes can be noticed.
    """
    with database.snapshot() as session:
        return service.list_disclosures(session, caller, query, role=role, request_id=request_id)


@router.get("/combined")
def combine_disclosures(caller: Caller, database: DatabaseDependency) -> wire.CombinedDisclosures:
    """Report what each viewer can infer about your data from all that was disclosed to it.

    A viewer is an organisation or the service.
    """
    with database.snapshot() as session:
        return service.combine(session, caller)
