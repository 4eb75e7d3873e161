"""Routes of references, except the one that reads a reference by its id.

That route is in `app.requests`, because it depends on the requests that the caller may read.
"""

from fastapi import Response

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Buyer
from ..http.dependencies import DatabaseDependency, SettingsDependency
from ..http.documentation import problems
from ..http.idempotency import IdempotencyKeyReused, OnceDependency
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency
from ..http.problems import Invalid
from ..http.resource_router import ResourceRouter
from ..http.responses import created_response
from . import service
from .schemas import NewReference

router = ResourceRouter(
    prefix="/v1/references", tags=["references"], route_class=AuthenticatedRoute
)


@router.post(
    "",
    status_code=201,
    response_model=wire.Reference,
    responses=problems(Invalid, IdempotencyKeyReused),
)
def create_reference(
    body: NewReference,
    caller: Buyer,
    database: DatabaseDependency,
    settings: SettingsDependency,
    once: OnceDependency,
) -> Response:
    """Register a reference: the parameters of the random measure γ.

    Sellers can read the reference of each request that they may read.
    """

    def work() -> Response:
        reference = service.create_reference(session, caller, body, settings)
        return created_response(reference, f"/v1/references/{reference.id}")

    with database.transaction() as session:
        return once(session, caller.account_id, work)


@router.get("", responses=problems(Invalid, BadCursor))
def list_references(
    caller: Buyer, database: DatabaseDependency, query: PageQueryDependency
) -> wire.Page[wire.Reference]:
    """List your references."""
    with database.snapshot() as session:
        return service.list_references(session, caller, query)
