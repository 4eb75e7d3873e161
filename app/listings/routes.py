"""Routes of listings."""

from fastapi import Response

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Caller, Seller
from ..http.dependencies import DatabaseDependency
from ..http.documentation import NOT_MODIFIED, problems
from ..http.entity_tags import IfMatch, IfNoneMatch
from ..http.idempotency import IdempotencyKeyReused, OnceDependency
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency, PathId
from ..http.problems import Invalid, NotFound, PreconditionFailed, PreconditionRequired
from ..http.resource_router import ResourceRouter
from ..http.responses import created_response, tagged_response
from . import service
from .schemas import ListingEdit, NewListing
from .search import ListingSearchDependency

router = ResourceRouter(prefix="/v1/listings", tags=["listings"], route_class=AuthenticatedRoute)


@router.post(
    "",
    status_code=201,
    response_model=wire.Listing,
    responses=problems(Invalid, IdempotencyKeyReused),
)
def create_listing(
    body: NewListing, caller: Seller, database: DatabaseDependency, once: OnceDependency
) -> Response:
    """Publish a description of a dataset that you offer."""

    def work() -> Response:
        listing = service.create_listing(session, caller, body)
        return created_response(listing, f"/v1/listings/{listing.id}", tagged=True)

    with database.transaction() as session:
        return once(session, caller.account_id, work)


@router.get("", responses=problems(Invalid, BadCursor))
def list_listings(
    caller: Caller,
    database: DatabaseDependency,
    search: ListingSearchDependency,
    query: PageQueryDependency,
) -> wire.Page[wire.Listing]:
    """Search all published listings, and your own archived listings."""
    with database.snapshot() as session:
        return service.list_listings(session, caller, search, query)


@router.get(
    "/{listing_id}", response_model=wire.Listing, responses=problems(NotFound) | NOT_MODIFIED
)
def read_listing(
    listing_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Read a listing."""
    with database.snapshot() as session:
        return tagged_response(service.read_listing(session, caller, listing_id), if_none_match)


@router.patch(
    "/{listing_id}",
    response_model=wire.Listing,
    responses=problems(NotFound, Invalid, PreconditionFailed, PreconditionRequired),
)
def edit_listing(
    listing_id: PathId,
    body: ListingEdit,
    caller: Seller,
    database: DatabaseDependency,
    if_match: IfMatch = None,
) -> Response:
    """Edit your listing. `If-Match` names the version to edit."""
    with database.transaction() as session:
        return tagged_response(service.edit_listing(session, caller, listing_id, body, if_match))
