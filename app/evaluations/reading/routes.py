"""Routes that read what an evaluation computed: results, receipts and scores."""

import hashlib
from typing import Annotated

from fastapi import Query, Response
from pydantic import BeforeValidator, Field

from wassay import models as wire

from ...accounts.authentication import AuthenticatedRoute, Buyer, Caller
from ...arrays.dependencies import StoreDependency
from ...arrays.digests import content_digest
from ...contributions.problems import UnknownSweepValue
from ...http.dependencies import DatabaseDependency
from ...http.documentation import problems
from ...http.entity_tags import IfNoneMatch, is_current
from ...http.numbers import parse_number
from ...http.parameters import PathId
from ...http.problems import NotFound
from ...http.resource_router import ResourceRouter
from ..problems import (
    EvaluationNotFinished,
    EvaluationWithoutResult,
    NoScores,
    ResultWithNoise,
    ResultWithoutNoise,
    ScoresWithheld,
)
from . import receipts, results, scores

router = ResourceRouter(
    prefix="/v1/evaluations/{evaluation_id}",
    tags=["evaluations"],
    route_class=AuthenticatedRoute,
)

SweepNumber = Annotated[float, Field(gt=0, lt=1), BeforeValidator(parse_number)]
SweepQuery = Annotated[
    SweepNumber | None,
    Query(
        alias="s",
        description="The s of the sweep at which to read scores. Default: the s at which all "
        "sellers' points together pass nearest to the buyer's.",
    ),
]


@router.get(
    "/result",
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
    "/noised-result",
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
    """Read the distances with noise; refused if the request has no `epsilon`."""
    with database.snapshot() as session:
        result = results.read_result(session, caller, evaluation_id, noised=True)
    return _document(result.document, result.digest, if_none_match)


@router.get(
    "/receipt",
    response_model=wire.SignedReceipt,
    responses=problems(NotFound, EvaluationNotFinished, EvaluationWithoutResult),
)
def read_receipt(
    evaluation_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Read your receipt of an evaluation.

    The buyer's receipt covers the whole evaluation; a seller's receipt covers only that seller's
    part. Store the bytes exactly as received, because the signature covers them.
    """
    with database.snapshot() as session:
        content = receipts.read_receipt(session, caller, evaluation_id).content
    digest = hashlib.sha256(content.encode()).hexdigest()
    return _document(content, digest, if_none_match)


@router.get(
    "/scores",
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
        return scores.read_buyer_scores(session, store, caller, evaluation_id, s)


@router.get(
    "/scores/{contribution_id}",
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
    """Read which of a seller's points are the noisiest, or all scores if all parties consent.

    What you may read depends on the `score_policy` of all sellers and the request's
    `reveals_scores`. No points are named if a party has fewer than ten effective points.
    """
    with database.snapshot() as session:
        return scores.read_seller_scores(session, store, caller, evaluation_id, contribution_id, s)


@router.get(
    "/label-scores/{contribution_id}",
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

    The buyer reads what the seller discloses. The seller reads all scores if the request reveals
    scores, and otherwise which labels are the worst.
    """
    with database.snapshot() as session:
        return scores.read_label_scores(session, store, caller, evaluation_id, contribution_id)


def _document(content: str, digest: str, if_none_match: str | None) -> Response:
    """Return the response with a document that never changes, or 304 if the caller has it.

    `digest` is the SHA-256 of `content` in hexadecimal digits, and becomes the entity tag.
    """
    tag = f'"{digest}"'
    if is_current(if_none_match, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Content-Digest": content_digest(digest)}
    return Response(content, headers=headers, media_type="application/json")
