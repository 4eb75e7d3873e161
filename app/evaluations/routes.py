"""Routes of evaluations."""

import hashlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Query, Response
from fastapi import Request as HttpRequest
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BeforeValidator, Field

from wassay import models as wire

from ..accounts.admin_actions import record
from ..accounts.authentication import Admin, AuthenticatedRoute, Buyer, Caller
from ..arrays.dependencies import StoreDependency
from ..arrays.digests import content_digest
from ..contributions.problems import CapExceeded, UnknownSweepValue
from ..http.dependencies import DatabaseDependency, SettingsDependency
from ..http.documentation import problems
from ..http.entity_tags import IfNoneMatch, is_current
from ..http.idempotency import IdempotencyKeyReused, OnceDependency
from ..http.numbers import parse_number
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency, PathId
from ..http.problems import NotFound
from ..http.rate_limit import charge
from ..http.responses import json_response, tagged_response
from ..jobs.dependencies import QueueDependency
from . import retrying, service
from .cost import ProcessLimits
from .evaluation_limits import EvaluationLimits
from .events import EvaluationFeed, is_final_event
from .presentation import evaluation_to_wire
from .problems import (
    CoalitionNotEvaluable,
    ContributionNotSubmitted,
    EvaluationFinished,
    EvaluationNotFinished,
    EvaluationNotRetryable,
    EvaluationTooLarge,
    EvaluationWithoutResult,
    MixedContributions,
    NoContributions,
    NoScores,
    NotExtendable,
    RequestNotEvaluable,
    ResultWithNoise,
    ResultWithoutNoise,
    ScoresWithheld,
    SellerWeightsIncomplete,
    TooManyEvaluations,
    TooManyStreams,
)
from .reading import receipts, results
from .repository import UNFINISHED
from .schemas import NewEvaluation
from .stall_reasons import QueueView
from .stream_limit import StreamLimit

request_router = APIRouter(
    prefix="/v1/requests/{request_id}",
    tags=["requests"],
    route_class=AuthenticatedRoute,
)
router = APIRouter(prefix="/v1/evaluations", tags=["evaluations"], route_class=AuthenticatedRoute)

SweepNumber = Annotated[float, Field(gt=0, lt=1), BeforeValidator(parse_number)]
SweepQuery = Annotated[
    SweepNumber | None,
    Query(
        alias="s",
        description="The s of the sweep at which to read scores. Default: the s at which all "
        "sellers' points together pass nearest to the buyer's.",
    ),
]
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
    """Ask for the distances and scores of the submitted contributions, which a worker computes."""
    limits = EvaluationLimits(settings.account_evaluations, settings.organisation_evaluations)

    def work() -> Response:
        evaluation = service.create_evaluation(
            session, queue, caller, request_id, body, limits, ProcessLimits.of(settings)
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

    The seconds are those of recently finished evaluations of about the same size. If there were too
    few, the seconds follow from constant rates. No seller's cap is charged.
    """
    with database.transaction() as session:
        return service.estimate_evaluation(
            session, caller, request_id, body, ProcessLimits.of(settings)
        )


@request_router.get("/evaluations", responses=problems(NotFound, BadCursor), tags=["evaluations"])
def list_evaluations(
    request_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    query: PageQueryDependency,
) -> wire.Page[wire.Evaluation]:
    """List a request's evaluations. Its buyer reads all, a seller those with the seller's data."""
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


STREAM_COST = 9
"""How many further requests an opened stream counts for, because it keeps its slot for a minute."""


async def _stream_slot(request: HttpRequest, caller: Caller) -> AsyncIterator[None]:
    charge(request, caller.account_id, STREAM_COST)
    limit: StreamLimit = request.app.state.stream_limit
    with limit.slot(caller):
        yield


def _require_news(
    evaluation_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    last_event_id: LastEventId = None,
) -> wire.Evaluation:
    """Return the evaluation for the caller, while errors can still set the response's status.

    Raise 204 if the evaluation has ended and the client has its last event.
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
    evaluation: Annotated[wire.Evaluation, Depends(_require_news)],
    last_event_id: LastEventId = None,
) -> AsyncIterator[ServerSentEvent]:
    """Follow an evaluation: receive its document, as `GET` returns it, whenever it changes.

    The stream ends when the evaluation has ended, after a minute, or when the service stops. An
    `EventSource` then reconnects by itself, and receives only changes since its `Last-Event-ID`.
    Once the client has the last event, the response is 204, and the `EventSource` stops.
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
    """Retry an evaluation that failed because of the service (admin).

    The evaluation keeps its id and inputs, and does not count again towards sellers' caps.
    """
    with database.transaction() as session:
        evaluation = retrying.retry_evaluation(session, queue, evaluation_id)
        record(session, caller, "evaluation.retry", evaluation_id)
        return json_response(evaluation_to_wire(evaluation, caller, QueueView(session)))


@router.get(
    "/{evaluation_id}/result",
    response_model=wire.Result,
    responses=problems(NotFound, EvaluationNotFinished, EvaluationWithoutResult, ResultWithNoise),
)
def read_result(
    evaluation_id: PathId,
    caller: Buyer,
    database: DatabaseDependency,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Read the distances of all sellers together, of each alone, and of any further coalitions."""
    with database.snapshot() as session:
        result = results.read_result(session, caller, evaluation_id)
    return _document(result.document, result.digest, if_none_match)


@router.get(
    "/{evaluation_id}/noised-result",
    response_model=wire.NoisedResult,
    responses=problems(
        NotFound, EvaluationNotFinished, EvaluationWithoutResult, ResultWithoutNoise
    ),
)
def read_noised_result(
    evaluation_id: PathId,
    caller: Buyer,
    database: DatabaseDependency,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Read the distances with noise, if the request has an `epsilon`."""
    with database.snapshot() as session:
        result = results.read_result(session, caller, evaluation_id, noised=True)
    return _document(result.document, result.digest, if_none_match)


@router.get(
    "/{evaluation_id}/receipt",
    response_model=wire.SignedReceipt,
    responses=problems(NotFound, EvaluationNotFinished, EvaluationWithoutResult),
)
def read_receipt(
    evaluation_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Read your receipt of an evaluation: of the whole as its buyer, of your part as a seller.

    Store the bytes exactly as received, because the signature covers them.
    """
    with database.snapshot() as session:
        content = receipts.read_receipt(session, caller, evaluation_id).content
    digest = hashlib.sha256(content.encode()).hexdigest()
    return _document(content, digest, if_none_match)


@router.get(
    "/{evaluation_id}/scores",
    responses=problems(
        NotFound,
        ScoresWithheld,
        UnknownSweepValue,
        EvaluationNotFinished,
        EvaluationWithoutResult,
        NoScores,
    ),
)
def read_buyer_scores(
    evaluation_id: PathId,
    caller: Buyer,
    database: DatabaseDependency,
    store: StoreDependency,
    s: SweepQuery = None,
) -> wire.PointScores:
    """Read the scores of the buyer's own points, if every seller discloses scores."""
    with database.snapshot() as session:
        return results.read_buyer_scores(session, store, caller, evaluation_id, s)


@router.get(
    "/{evaluation_id}/scores/{contribution_id}",
    responses=problems(
        NotFound,
        ScoresWithheld,
        UnknownSweepValue,
        EvaluationNotFinished,
        EvaluationWithoutResult,
        NoScores,
    ),
)
def read_seller_scores(
    evaluation_id: PathId,
    contribution_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    store: StoreDependency,
    s: SweepQuery = None,
) -> wire.PointScores:
    """Read which of a seller's points are the noisiest, and the scores if all parties consent.

    The seller reads scores if the request reveals scores and every other seller discloses theirs.
    If there is only one seller, the buyer reads what that seller discloses; if there are several,
    the buyer reads scores if all disclose scores. If a party has fewer than ten points, no points
    are named.
    """
    with database.snapshot() as session:
        return results.read_seller_scores(session, store, caller, evaluation_id, contribution_id, s)


@router.get(
    "/{evaluation_id}/label-scores/{contribution_id}",
    responses=problems(
        NotFound, ScoresWithheld, EvaluationNotFinished, EvaluationWithoutResult, NoScores
    ),
)
def read_label_scores(
    evaluation_id: PathId,
    contribution_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    store: StoreDependency,
) -> wire.LabelScores:
    """Read which of a seller's points have a label that is probably wrong.

    Only for requests with `labelled`, and contributions in mode `measure`. The buyer reads what the
    seller discloses: scores at every s, or ranks. The seller reads scores if the request reveals
    them, and otherwise which labels are the worst.
    """
    with database.snapshot() as session:
        return results.read_label_scores(session, store, caller, evaluation_id, contribution_id)


def _document(content: str, digest: str, if_none_match: str | None) -> Response:
    """Return the response with a document that never changes, or 304 if the caller has it."""
    tag = f'"{digest}"'
    if is_current(if_none_match, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Content-Digest": content_digest(digest)}
    return Response(content, headers=headers, media_type="application/json")
