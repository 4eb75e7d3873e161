"""Reading what an evaluation found: its result, and the scores of points."""

from typing import cast

import numpy as np
from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.modes import MODES

from ...accounts.authentication import Principal
from ...arrays import npy
from ...arrays.store import ArrayStore
from ...contributions.models import Contribution
from ...contributions.problems import UnknownSweepValue
from ...kit.problems import NotFound
from ...requests.models import BuyerMeasure
from .. import repository
from ..access import own_evaluation, visible_evaluation, visible_problem, visible_reason
from ..computing.stored_arrays import read_weights
from ..models import EvaluatedContribution, Evaluation, Result
from ..presentation import scores_to_wire
from ..privacy.score_visibility import (
    SHARE,
    buyer_scores_shown,
    most_named,
    noisiest,
    shown_to_buyer,
    shown_to_seller,
)
from ..problems import (
    AnsweredWithNoise,
    AnsweredWithoutNoise,
    EvaluationNotFinished,
    EvaluationWithoutResult,
    NoScores,
    ScoresWithheld,
)


def read_result(
    session: Session, caller: Principal, evaluation_id: str, *, noised: bool = False
) -> Result:
    """Return what an evaluation found, to its buyer.

    Raises
    ------
    NotFound
        If the caller has no such evaluation.
    EvaluationNotFinished
        If it waits or runs.
    EvaluationWithoutResult
        If it failed or was cancelled.
    AnsweredWithNoise, AnsweredWithoutNoise
        If its result is of the other kind.
    """
    evaluation = own_evaluation(session, caller, evaluation_id)
    require_result(evaluation, caller)
    if noised and evaluation.request.epsilon is None:
        raise AnsweredWithoutNoise(
            f"Request {evaluation.request_id} has no epsilon; read "
            f"/v1/evaluations/{evaluation_id}/result."
        )
    if not noised and evaluation.request.epsilon is not None:
        raise AnsweredWithNoise(
            f"Request {evaluation.request_id} has an epsilon; read "
            f"/v1/evaluations/{evaluation_id}/noised-result."
        )
    return cast("Result", repository.result_of(session, evaluation_id))


def read_buyer_scores(
    session: Session, store: ArrayStore, caller: Principal, evaluation_id: str, s: float | None
) -> wire.PointScores:
    """Return the scores of the buyer's own points, to the buyer, where every seller shows scores.

    Raises
    ------
    NotFound
        If the caller has no such evaluation.
    EvaluationNotFinished, EvaluationWithoutResult, NoScores
        If there are no scores.
    ScoresWithheld
        If a seller does not show scores.
    UnknownSweepValue
        If they are of other s.
    """
    evaluation = own_evaluation(session, caller, evaluation_id)
    _require_scores(evaluation, caller)
    if not buyer_scores_shown(evaluation):
        raise ScoresWithheld(
            "The scores of your own points tell the sellers' records, so they are shown only where "
            "every seller of the evaluation shows scores. Evaluate contributions with the score "
            "policy scores alone.",
            expected="scores",
            received={
                used.contribution_id: used.contribution.score_policy
                for used in evaluation.contributions
            },
        )
    return _scores(session, store, evaluation, None, s, "scores")


def read_seller_scores(
    session: Session,
    store: ArrayStore,
    caller: Principal,
    evaluation_id: str,
    contribution_id: str,
    s: float | None,
) -> wire.PointScores:
    """Return of the scores of a seller's points what the seller, or the buyer, may see.

    Raises
    ------
    NotFound
        If the caller takes no part in such an evaluation, or may not know of the contribution.
    ScoresWithheld
        If the caller is the buyer, and the seller shows nothing; or if none may be named.
    EvaluationNotFinished, EvaluationWithoutResult, NoScores
        If there are no scores.
    UnknownSweepValue
        If they are of other s.
    """
    evaluation = visible_evaluation(session, caller, evaluation_id)
    used = _used(evaluation, contribution_id)
    is_seller = used is not None and used.contribution.account_id == caller.account_id
    is_buyer = evaluation.request.account_id == caller.account_id
    if used is None or not (is_seller or is_buyer):
        raise NotFound(
            f"Evaluation {evaluation_id} uses no contribution {contribution_id}.",
            received=contribution_id,
        )
    _require_scores(evaluation, caller)
    shown = (shown_to_seller if is_seller else shown_to_buyer)(evaluation, used.contribution)
    if shown == "none" and (is_seller or used.contribution.score_policy != "none"):
        raise ScoresWithheld(
            f"A party of evaluation {evaluation_id} has fewer than {SHARE} points at different "
            "places, or of even weight. Which of a seller's points are the noisiest would tell too "
            "much of each of them, so none are named.",
            expected=f"at least {SHARE} points of each party",
        )
    if shown == "none":
        raise ScoresWithheld(
            f"The seller of contribution {contribution_id} shows the buyer no scores "
            "(their policy is none); ask them for a contribution with ranks or scores.",
            expected=["ranks", "scores"],
            received=shown,
        )
    return _scores(session, store, evaluation, used.contribution, s, shown)


def require_result(evaluation: Evaluation, caller: Principal) -> None:
    """Let only evaluations that have succeeded pass.

    Raises
    ------
    EvaluationNotFinished
        If it waits or runs.
    EvaluationWithoutResult
        If it failed or was cancelled.
    """
    if evaluation.state in repository.UNFINISHED:
        raise EvaluationNotFinished(
            f"Evaluation {evaluation.id} is {evaluation.state}; read it until it has succeeded.",
            expected="succeeded",
            received=evaluation.state,
        )
    if evaluation.state != "succeeded":
        raise EvaluationWithoutResult(
            f"Evaluation {evaluation.id} has no result: it {_ended(evaluation)}. "
            f"{visible_reason(evaluation, caller.account_id) or ''}".strip(),
            expected="succeeded",
            received=evaluation.state,
            reason=visible_problem(evaluation, caller.account_id),
        )


def _ended(evaluation: Evaluation) -> str:
    return "failed" if evaluation.state == "failed" else "was cancelled"


def _used(evaluation: Evaluation, contribution_id: str) -> EvaluatedContribution | None:
    return next(
        (used for used in evaluation.contributions if used.contribution_id == contribution_id),
        None,
    )


def _require_scores(evaluation: Evaluation, caller: Principal) -> None:
    require_result(evaluation, caller)
    if evaluation.request.epsilon is not None:
        raise NoScores(
            f"Evaluation {evaluation.id} is of answers with noise, and scores would undo it: none "
            "are computed. Ask without an epsilon for scores.",
            expected={"epsilon": None},
            received={"epsilon": evaluation.request.epsilon},
        )
    first = evaluation.contributions[0].contribution
    if not first.terms.is_verified:
        raise NoScores(
            f"Evaluation {evaluation.id} is of answers by scalars, of which no scores follow: "
            "sellers who solve the sweep themselves send nothing of single points.",
            expected=[name for name, terms in MODES.items() if terms.is_verified],
            received=first.mode,
        )


def _scores(
    session: Session,
    store: ArrayStore,
    evaluation: Evaluation,
    contribution: Contribution | None,
    s: float | None,
    shown: wire.ScoresShown,
) -> wire.PointScores:
    sweep = evaluation.request.sweep
    at = sweep[len(sweep) // 2] if s is None else s
    name = None if contribution is None else contribution.id
    scored = repository.scored_points(session, evaluation.extends or evaluation.id, name, at)
    if scored is None:
        raise UnknownSweepValue(
            f"Evaluation {evaluation.id} has no scores at s = {at}; it has them at "
            f"{', '.join(map(str, sweep))}.",
            expected=sweep,
            received=at,
        )
    array = np.asarray(npy.memory_map(store.local_path(scored.digest)), dtype=np.float64)
    measure = cast("BuyerMeasure", evaluation.request.measure)  # it was opened, so it has one
    held = measure if contribution is None else contribution.arrays[0]
    few = noisiest(array[:, 0], read_weights(store, held), most_named(evaluation))
    return scores_to_wire(scored, array, few, shown)
