"""Routes of contributions."""

from fastapi import Response

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Caller, Seller
from ..arrays.dependencies import StoreDependency
from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.idempotency import IdempotencyKeyReused, OnceDependency
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency, PathId
from ..http.problems import NotFound
from ..http.resource_router import ResourceRouter
from ..http.responses import created_response
from ..requests.problems import NotInvited, RequestNotOpen
from . import service
from .problems import (
    AlreadyContributed,
    ArraysMissing,
    CapExceeded,
    ContributionNotDraft,
    ModeNotOffered,
    NoScoresWithNoise,
    ScalarsMissing,
    WeightsDiffer,
)
from .schemas import NewContribution, Refusal, Submission

request_router = ResourceRouter(
    route_class=AuthenticatedRoute,
    prefix="/v1/requests/{request_id}/contributions",
    tags=["contributions"],
)
router = ResourceRouter(
    route_class=AuthenticatedRoute,
    prefix="/v1/contributions/{contribution_id}",
    tags=["contributions"],
)


@request_router.post(
    "",
    status_code=201,
    response_model=wire.Contribution,
    responses=problems(
        NotFound,
        NotInvited,
        RequestNotOpen,
        ModeNotOffered,
        NoScoresWithNoise,
        AlreadyContributed,
        CapExceeded,
        IdempotencyKeyReused,
    ),
)
def create_contribution(
    request_id: PathId,
    body: NewContribution,
    caller: Seller,
    database: DatabaseDependency,
    once: OnceDependency,
) -> Response:
    """Create a contribution to an open request, as a draft."""

    def work() -> Response:
        contribution = service.create_contribution(session, caller, request_id, body)
        return created_response(contribution, f"/v1/contributions/{contribution.id}")

    with database.transaction() as session:
        return once(session, caller.account_id, work)


@request_router.get("", responses=problems(NotFound, BadCursor))
def list_contributions(
    request_id: PathId, caller: Caller, database: DatabaseDependency, query: PageQueryDependency
) -> wire.Page[wire.Contribution]:
    """List all contributions to your own request, or your contributions to another's request."""
    with database.snapshot() as session:
        return service.list_contributions(session, caller, request_id, query)


@router.get("", responses=problems(NotFound))
def read_contribution(
    contribution_id: PathId, caller: Caller, database: DatabaseDependency
) -> wire.Contribution:
    """Read your contribution, or a contribution to your request."""
    with database.snapshot() as session:
        return service.read_contribution(session, caller, contribution_id)


@router.post(
    "/submit",
    responses=problems(
        NotFound, ContributionNotDraft, RequestNotOpen, ArraysMissing, ScalarsMissing, WeightsDiffer
    ),
)
def submit_contribution(
    contribution_id: PathId,
    caller: Seller,
    database: DatabaseDependency,
    store: StoreDependency,
    body: Submission | None = None,
) -> wire.Contribution:
    """Submit a draft. This is refused while an upload is missing.

    A submitted contribution cannot change, but can be withdrawn unless an evaluation uses it.
    """
    with database.transaction() as session:
        return service.submit_contribution(
            session, store, caller, contribution_id, body or Submission()
        )


@router.post("/decline", responses=problems(NotFound, ContributionNotDraft))
def decline_contribution(
    contribution_id: PathId, body: Refusal, caller: Seller, database: DatabaseDependency
) -> wire.Contribution:
    """Decline the request: turn your draft into a refusal, and delete its uploads."""
    with database.transaction() as session:
        return service.decline(session, caller, contribution_id, body)
