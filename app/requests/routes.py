"""Routes of requests, and of the references that requests make readable."""

from typing import Annotated

from fastapi import Query, Response

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Buyer, Caller
from ..http.dependencies import DatabaseDependency
from ..http.documentation import NOT_MODIFIED, problems
from ..http.entity_tags import IfMatch, IfNoneMatch
from ..http.idempotency import IdempotencyKeyReused, OnceDependency
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency, PathId
from ..http.problems import NotFound, PreconditionFailed, PreconditionRequired
from ..http.resource_router import ResourceRouter
from ..http.responses import created_response, tagged_response
from . import service
from .problems import (
    LabelsNotPossible,
    MeasureMissing,
    MeasureNotRevealed,
    NoiseNotPossible,
    OrderNotInMode,
    RecipeNotPossible,
    RequestExpired,
    RequestNotDraft,
    RequestNotOpen,
)
from .schemas import NewRequest, RequestEdit
from .search import RequestSearchDependency

router = ResourceRouter(prefix="/v1/requests", tags=["requests"], route_class=AuthenticatedRoute)
references_router = ResourceRouter(
    prefix="/v1/references",
    tags=["references"],
    route_class=AuthenticatedRoute,
)


@router.post(
    "",
    status_code=201,
    response_model=wire.Request,
    responses=problems(
        NotFound,
        MeasureNotRevealed,
        NoiseNotPossible,
        LabelsNotPossible,
        RecipeNotPossible,
        OrderNotInMode,
        IdempotencyKeyReused,
    ),
)
def create_request(
    body: NewRequest, caller: Buyer, database: DatabaseDependency, once: OnceDependency
) -> Response:
    """Create a request as a draft, which only you can see."""

    def work() -> Response:
        request = service.create_request(session, caller, body)
        return created_response(request, f"/v1/requests/{request.id}", tagged=True)

    with database.transaction() as session:
        return once(session, caller.account_id, work)


@router.get("", responses=problems(BadCursor))
def list_requests(
    caller: Caller,
    database: DatabaseDependency,
    search: RequestSearchDependency,
    query: PageQueryDependency,
    role: Annotated[
        service.Role,
        Query(
            description="`buyer`: your requests. `seller`: open requests to which you may "
            "contribute."
        ),
    ] = "buyer",
    state: Annotated[
        wire.RequestState | None, Query(description="Only requests in this state.")
    ] = None,
) -> wire.Page[wire.Request]:
    """Search your requests, or those to which you may contribute."""
    with database.snapshot() as session:
        return service.list_requests(
            session, caller, query, role=role, state=state, searched=search
        )


@router.get(
    "/{request_id}", response_model=wire.Request, responses=problems(NotFound) | NOT_MODIFIED
)
def read_request(
    request_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Read your request, or a request to which you may contribute or have contributed."""
    with database.look() as connection:
        request = service.read_request(connection, caller, request_id)
    return tagged_response(request, if_none_match)


@router.patch(
    "/{request_id}",
    response_model=wire.Request,
    responses=problems(
        NotFound,
        RequestNotDraft,
        MeasureNotRevealed,
        NoiseNotPossible,
        LabelsNotPossible,
        OrderNotInMode,
        PreconditionFailed,
        PreconditionRequired,
    ),
)
def edit_request(
    request_id: PathId,
    body: RequestEdit,
    caller: Buyer,
    database: DatabaseDependency,
    if_match: IfMatch = None,
) -> Response:
    """Edit a draft. `If-Match` names the version to edit."""
    with database.transaction() as session:
        return tagged_response(service.edit_request(session, caller, request_id, body, if_match))


@router.post(
    "/{request_id}/open",
    response_model=wire.Request,
    responses=problems(NotFound, RequestNotDraft, MeasureMissing, RequestExpired),
)
def open_request(request_id: PathId, caller: Buyer, database: DatabaseDependency) -> Response:
    """Open a draft for contributions. From then on, the terms and the measure cannot change."""
    with database.transaction() as session:
        return tagged_response(service.open_request(session, caller, request_id))


@router.post(
    "/{request_id}/close",
    response_model=wire.Request,
    responses=problems(NotFound, RequestNotOpen),
)
def close_request(request_id: PathId, caller: Buyer, database: DatabaseDependency) -> Response:
    """Close an open request to contributions. Submitted contributions can still be evaluated."""
    with database.transaction() as session:
        return tagged_response(service.close_request(session, caller, request_id))


@references_router.get("/{reference_id}", responses=problems(NotFound))
def read_reference(
    reference_id: PathId, caller: Caller, database: DatabaseDependency
) -> wire.Reference:
    """Read your reference, or the reference of a request that you may see."""
    with database.snapshot() as session:
        return service.read_reference(session, caller, reference_id)
