"""HTTP of contributions."""

from fastapi import APIRouter, Response

from wassay import models as wire

from ..accounts.authentication import Caller, Seller
from ..kit.dependencies import DatabaseDependency
from ..kit.documentation import problems
from ..kit.idempotency import IdempotencyKeyReused, OnceDependency
from ..kit.ids import PathId
from ..kit.pagination import BadCursor, PageQueryDependency
from ..kit.problems import NotFound
from ..kit.responses import created_response
from ..requests.problems import NotInvited, RequestNotOpen
from . import service
from .problems import (
    AlreadyContributed,
    ArraysMissing,
    CapExceeded,
    ContributionEnded,
    ContributionNotDraft,
    ContributionUsed,
    ModeNotOffered,
    NoScoresWithNoise,
    ScalarsMissing,
    WeightsDiffer,
)
from .schemas import NewContribution, Refusal, Submission

request_router = APIRouter(prefix="/v1/requests/{request_id}/contributions", tags=["contributions"])
router = APIRouter(prefix="/v1/contributions/{contribution_id}", tags=["contributions"])


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
    """Begin an answer to an open request; it starts as a draft."""

    def work() -> Response:
        contribution = service.create_contribution(session, caller, request_id, body)
        return created_response(contribution, f"/v1/contributions/{contribution.id}")

    with database.transaction() as session:
        return once(session, caller.account_id, work)


@request_router.get("", responses=problems(NotFound, BadCursor))
def list_contributions(
    request_id: PathId, caller: Caller, database: DatabaseDependency, query: PageQueryDependency
) -> wire.Page[wire.Contribution]:
    """List the answers to a request: all to its buyer, to a seller their own."""
    with database.snapshot() as session:
        return service.list_contributions(session, caller, request_id, query)


@router.get("", responses=problems(NotFound))
def read_contribution(
    contribution_id: PathId, caller: Caller, database: DatabaseDependency
) -> wire.Contribution:
    """Read a contribution: one's own, or an answer to one's own request."""
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
    body: Submission | None = None,
) -> wire.Contribution:
    """Submit an answer that has an array for every s; from then on it does not change."""
    with database.transaction() as session:
        return service.submit_contribution(session, caller, contribution_id, body or Submission())


@router.post("/decline", responses=problems(NotFound, ContributionNotDraft))
def decline_contribution(
    contribution_id: PathId, body: Refusal, caller: Seller, database: DatabaseDependency
) -> wire.Contribution:
    """Turn a draft into the answer that there will be none."""
    with database.transaction() as session:
        return service.decline(session, caller, contribution_id, body)


@router.post("/withdraw", responses=problems(NotFound, ContributionEnded, ContributionUsed))
def withdraw_contribution(
    contribution_id: PathId, caller: Seller, database: DatabaseDependency
) -> wire.Contribution:
    """Take an answer back, as long as no evaluation uses it that waits, runs or has succeeded."""
    with database.transaction() as session:
        return service.withdraw(session, caller, contribution_id)
