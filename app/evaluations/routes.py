"""Routes of evaluations: ask for them, follow, list, cancel and retry them."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, Header, HTTPException, Response
from fastapi import Request as HttpRequest
from fastapi.sse import EventSourceResponse, ServerSentEvent

from wassay import models as wire

from ..accounts.admin_actions import record
from ..accounts.authentication import Admin, AuthenticatedRoute, Buyer, Caller
from ..contributions.problems import CapExceeded
from ..http.dependencies import DatabaseDependency, SettingsDependency
from ..http.documentation import problems
from ..http.idempotency import IdempotencyKeyReused, OnceDependency
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency, PathId
from ..http.problems import NotFound
from ..http.rate_limit import charge
from ..http.resource_router import ResourceRouter
from ..http.responses import json_response, tagged_response
from ..jobs.dependencies import QueueDependency
from . import retrying, service
from .evaluation_cost import SolveLimits
from .evaluation_limits import EvaluationLimits
from .events import EvaluationFeed, is_final_event
from .models import UNFINISHED
from .presentation import evaluation_to_wire
from .problems import (
    CoalitionNotEvaluable,
    ContributionNotSubmitted,
    EvaluationFinished,
    EvaluationNotRetryable,
    EvaluationTooLarge,
    MixedContributions,
    NoContributions,
    NotExtendable,
    RequestNotEvaluable,
    SellerWeightsIncomplete,
    TooManyEvaluations,
    TooManyStreams,
)
from .schemas import NewEvaluation
from .stall_reasons import QueueView
from .stream_limit import STREAM_COST, StreamLimit

request_router = ResourceRouter(
    prefix="/v1/requests/{request_id}",
    tags=["requests"],
    route_class=AuthenticatedRoute,
)
router = ResourceRouter(
    prefix="/v1/evaluations", tags=["evaluations"], route_class=AuthenticatedRoute
)

RETRY = {"Retry-After": "1"}
LastEventId = Annotated[str | None, Header(max_length=64)]
NOTHING_TO_COME: dict[int | str, dict[str, Any]] = {
    204: {
        "description": "The evaluation has ended, and the client has its last event, which "
        "`Last-Event-ID` names."
    }
}


@request_router.post("/cancel", response_model=wire.Request, responses=problems(NotFound))
def cancel_request(request_id: PathId, caller: Buyer, database: DatabaseDependency) -> Response:
    """End a request for good, and cancel its waiting and running evaluations."""
    with database.transaction() as session:
        return tagged_response(service.cancel_request(session, caller, request_id))


@request_router.post(
    "/evaluations",
    status_code=202,
    response_model=wire.Evaluation,
    responses=problems(
        NotFound,
        RequestNotEvaluable,
        NoContributions,
        ContributionNotSubmitted,
        MixedContributions,
        CapExceeded,
        CoalitionNotEvaluable,
        SellerWeightsIncomplete,
        NotExtendable,
        EvaluationTooLarge,
        TooManyEvaluations,
        IdempotencyKeyReused,
    ),
    tags=["evaluations"],
)
def create_evaluation(
    request_id: PathId,
    body: NewEvaluation,
    caller: Buyer,
    database: DatabaseDependency,
    settings: SettingsDependency,
    queue: QueueDependency,
    once: OnceDependency,
) -> Response:
    """Ask a worker to compute the distances and scores of the submitted contributions."""
    limits = EvaluationLimits(settings.account_evaluations, settings.organisation_evaluations)

    def work() -> Response:
        evaluation = service.create_evaluation(
            session, queue, caller, request_id, body, limits, SolveLimits.of(settings)
        )
        location = {"Location": f"/v1/evaluations/{evaluation.id}"}
        return json_response(evaluation, status=202, headers=location | RETRY)

    with database.transaction() as session:
        return once(session, caller.account_id, work)


@request_router.post(
    "/evaluation-cost",
    response_model=wire.EvaluationCost,
    responses=problems(
        NotFound,
        RequestNotEvaluable,
        NoContributions,
        ContributionNotSubmitted,
        MixedContributions,
        SellerWeightsIncomplete,
        CapExceeded,
        CoalitionNotEvaluable,
        NotExtendable,
    ),
    tags=["evaluations"],
)
def estimate_evaluation(
    request_id: PathId,
    body: NewEvaluation,
    caller: Buyer,
    database: DatabaseDependency,
    settings: SettingsDependency,
) -> wire.EvaluationCost:
    """Estimate what an evaluation would cost, without starting it.

    The time is estimated from recent evaluations of about the same size; from constant rates if
    there are too few. An estimate does not count towards sellers' caps.
    """
    with database.transaction() as session:
        return service.estimate_evaluation(
            session, caller, request_id, body, SolveLimits.of(settings)
        )


@request_router.get("/evaluations", responses=problems(NotFound, BadCursor), tags=["evaluations"])
def list_evaluations(
    request_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    query: PageQueryDependency,
) -> wire.Page[wire.Evaluation]:
    """List a request's evaluations. A seller sees only evaluations of the seller's data."""
    with database.snapshot() as session:
        return service.list_evaluations(session, caller, request_id, query)


@router.get("/{evaluation_id}", response_model=wire.Evaluation, responses=problems(NotFound))
def read_evaluation(
    evaluation_id: PathId, caller: Caller, database: DatabaseDependency
) -> Response:
    """Read an evaluation: its state and progress, or why it is waiting, failed or was cancelled."""
    with database.snapshot() as session:
        evaluation = service.read_evaluation(session, caller, evaluation_id)
    return json_response(evaluation, headers=RETRY if evaluation.state in UNFINISHED else None)


async def _stream_slot(request: HttpRequest, caller: Caller) -> AsyncIterator[None]:
    charge(request, caller.account_id, STREAM_COST)
    limit: StreamLimit = request.app.state.stream_limit
    with limit.slot(caller):
        yield


def _evaluation_to_follow(
    evaluation_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    last_event_id: LastEventId = None,
) -> wire.Evaluation:
    """Read the evaluation before its stream begins, while the response can still be an error.

    Respond with 204 if the evaluation has ended and the client has its last event.
    """
    with database.snapshot() as session:
        evaluation = service.read_evaluation(session, caller, evaluation_id)
    if is_final_event(evaluation, last_event_id):
        raise HTTPException(204)
    return evaluation


@router.get(
    "/{evaluation_id}/events",
    response_class=EventSourceResponse,
    responses=problems(NotFound, TooManyStreams) | NOTHING_TO_COME,
    dependencies=[Depends(_stream_slot)],
)
async def follow_evaluation(
    request: HttpRequest,
    caller: Caller,
    evaluation: Annotated[wire.Evaluation, Depends(_evaluation_to_follow)],
    last_event_id: LastEventId = None,
) -> AsyncIterator[ServerSentEvent]:
    """Follow an evaluation: receive its document, as `GET` returns it, whenever it changes.

    The stream ends when the evaluation has ended, after a minute, or when the service stops. An
    `EventSource` then reconnects by itself; the response is 204 once the client has the last event.
    """
    feed: EvaluationFeed = request.app.state.evaluation_feed
    async for event in feed.follow(evaluation, caller, last_event_id):
        yield event


@router.post(
    "/{evaluation_id}/cancel",
    response_model=wire.Evaluation,
    responses=problems(NotFound, EvaluationFinished),
)
def cancel_evaluation(
    evaluation_id: PathId, caller: Buyer, database: DatabaseDependency
) -> Response:
    """Cancel an evaluation that is waiting or running."""
    with database.transaction() as session:
        return json_response(service.cancel_evaluation(session, caller, evaluation_id))


@router.post(
    "/{evaluation_id}/retry",
    response_model=wire.Evaluation,
    responses=problems(NotFound, EvaluationNotRetryable),
)
def retry_evaluation(
    evaluation_id: PathId, caller: Admin, database: DatabaseDependency, queue: QueueDependency
) -> Response:
    """Retry an evaluation that failed because of the service.

    The evaluation keeps its id and inputs, and does not count again towards sellers' caps. The key
    needs the scope `admin`.
    """
    with database.transaction() as session:
        evaluation = retrying.retry_evaluation(session, queue, evaluation_id)
        record(session, caller, "evaluation.retry", evaluation_id)
        return json_response(evaluation_to_wire(evaluation, caller, QueueView(session)))
