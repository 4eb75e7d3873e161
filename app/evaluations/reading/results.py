"""Read the result of an evaluation, and the scores of points."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.modes import MODES
from wassay.transport import curve_weights

from ...accounts.principal import Principal
from ...arrays import npy
from ...arrays.columns import StoredArrayColumns
from ...arrays.store import ArrayStore
from ...contributions.models import Contribution
from ...contributions.problems import UnknownSweepValue
from ...http.problems import NotFound
from ...requests.models import BuyerMeasure
from .. import result_repository
from ..access import own_evaluation, visible_evaluation, visible_problem, visible_reason
from ..computing.stored_arrays import read_weights
from ..models import UNFINISHED, EvaluatedContribution, Evaluation, Result, ScoredPoints
from ..presentation import label_scores_to_wire, scores_to_wire
from ..privacy.score_visibility import (
    POINTS_PER_NAME,
    buyer_scores_visible,
    labels_visible_to_buyer,
    labels_visible_to_seller,
    max_labels_named,
    max_named,
    noisiest,
    visible_to_buyer,
    visible_to_seller,
)
from ..problems import (
    EvaluationNotFinished,
    EvaluationWithoutResult,
    NoScores,
    ResultWithNoise,
    ResultWithoutNoise,
    ScoresWithheld,
)


def read_result(
    session: Session, caller: Principal, evaluation_id: str, *, noised: bool = False
) -> Result:
    """Return the result of an evaluation to its buyer; with `noised`, a result with noise.

    Raises
    ------
    NotFound
        If the caller has no such evaluation.
    EvaluationNotFinished
        If the evaluation is waiting or running.
    EvaluationWithoutResult
        If the evaluation failed or was cancelled.
    ResultWithNoise, ResultWithoutNoise
        If the request has an epsilon and `noised` is false, or has no epsilon and `noised` is true.
    """
    evaluation = own_evaluation(session, caller, evaluation_id)
    require_result(evaluation, caller)
    if noised and evaluation.request.epsilon is None:
        raise ResultWithoutNoise(
            f"Request {evaluation.request_id} has no epsilon, so its results carry no noise. Read "
            f"/v1/evaluations/{evaluation_id}/result instead."
        )
    if not noised and evaluation.request.epsilon is not None:
        raise ResultWithNoise(
            f"Request {evaluation.request_id} has an epsilon, so its results carry noise. Read "
            f"/v1/evaluations/{evaluation_id}/noised-result instead."
        )
    return cast("Result", result_repository.result_of(session, evaluation_id))


def read_buyer_scores(
    session: Session, store: ArrayStore, caller: Principal, evaluation_id: str, s: float | None
) -> wire.PointScores:
    """Return the scores of the buyer's own points, if every seller discloses scores.

    An `s` of None stands for the s at which all sellers' points together are nearest to the
    buyer's: the stored `nearest_s`.

    Raises
    ------
    NotFound
        If the caller has no such evaluation.
    EvaluationNotFinished, EvaluationWithoutResult, NoScores
        If there are no scores.
    ScoresWithheld
        If a seller does not disclose scores.
    UnknownSweepValue
        If the sweep has no such s.
    """
    evaluation = own_evaluation(session, caller, evaluation_id)
    _require_scores(evaluation, caller)
    if not buyer_scores_visible(evaluation):
        raise ScoresWithheld(
            "The scores of your own points disclose the sellers' records, so every seller of the "
            "evaluation must disclose scores. Evaluate only contributions with score_policy "
            "scores.",
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
    """Return the scores of a seller's points, as far as the caller may read them.

    An `s` of None stands for the s at which all sellers' points together are nearest to the
    buyer's: the stored `nearest_s`.

    Raises
    ------
    NotFound
        If there is no such evaluation or contribution, or the caller may not see it.
    ScoresWithheld
        If the seller discloses nothing to the buyer, if no points may be named, or if the caller
        names an s but may not read scores.
    EvaluationNotFinished, EvaluationWithoutResult, NoScores
        If there are no scores.
    UnknownSweepValue
        If the sweep has no such s.
    """
    evaluation, contribution, is_seller = _scored_contribution(
        session, caller, evaluation_id, contribution_id
    )
    _require_scores(evaluation, caller)
    visibility = (visible_to_seller if is_seller else visible_to_buyer)(evaluation, contribution)
    _require_visible(evaluation, contribution, visibility, is_seller=is_seller)
    return _scores(session, store, evaluation, contribution, s, visibility)


def read_label_scores(
    session: Session,
    store: ArrayStore,
    caller: Principal,
    evaluation_id: str,
    contribution_id: str,
) -> wire.LabelScores:
    """Return the scores of the labels of a seller's points, as far as the caller may read them.

    Raises
    ------
    NotFound
        If there is no such evaluation or contribution, or the caller may not see it.
    ScoresWithheld
        If the seller discloses nothing to the buyer, or no points may be named.
    EvaluationNotFinished, EvaluationWithoutResult, NoScores
        If there are no scores of labels.
    """
    evaluation, contribution, is_seller = _scored_contribution(
        session, caller, evaluation_id, contribution_id
    )
    require_result(evaluation, caller)
    if not evaluation.request.scores_labels:
        raise NoScores(
            f"Evaluation {evaluation.id} has no scores of labels, because its request is not "
            "labelled or not in mode measure. Ask with labels in mode measure.",
            expected={"labelled": True, "modes": ["measure"]},
            received={
                "labelled": evaluation.request.labelled,
                "modes": evaluation.request.modes,
            },
        )
    visibility = (
        labels_visible_to_seller(evaluation, contribution)
        if is_seller
        else labels_visible_to_buyer(contribution)
    )
    _require_visible(
        evaluation,
        contribution,
        visibility,
        is_seller=is_seller,
        named_of="The buyer or the seller",
    )
    _require_stored(contribution.arrays[0])
    scored = result_repository.scored_labels(
        session, evaluation.extends or evaluation.id, contribution_id
    )
    (scores,) = (_mapped(store, each)[:, 0] for each in scored if each.kind == "labels")
    swept = {
        each.s: _mapped(store, each)[:, 0]
        for each in scored
        if each.kind == "swept-labels" and not is_seller
    }
    weights = read_weights(store, contribution.arrays[0])
    worst = noisiest(scores, weights, max_labels_named(evaluation, contribution))
    return label_scores_to_wire(evaluation_id, contribution_id, scores, swept, worst, visibility)


def require_result(evaluation: Evaluation, caller: Principal) -> None:
    """Raise unless the evaluation has succeeded.

    Raises
    ------
    EvaluationNotFinished
        If the evaluation is waiting or running.
    EvaluationWithoutResult
        If the evaluation failed or was cancelled.
    """
    if evaluation.state in UNFINISHED:
        raise EvaluationNotFinished(
            f"Evaluation {evaluation.id} is {evaluation.state}; wait until it has succeeded.",
            expected="succeeded",
            received=evaluation.state,
        )
    if evaluation.state != "succeeded":
        raise EvaluationWithoutResult(
            f"Evaluation {evaluation.id} has no result: it {_ended(evaluation)}. "
            f"{visible_reason(evaluation, caller) or ''}".strip(),
            expected="succeeded",
            received=evaluation.state,
            reason=visible_problem(evaluation, caller),
        )


def _ended(evaluation: Evaluation) -> str:
    return "failed" if evaluation.state == "failed" else "was cancelled"


def _scored_contribution(
    session: Session, caller: Principal, evaluation_id: str, contribution_id: str
) -> tuple[Evaluation, Contribution, bool]:
    """Return the evaluation, its contribution, and whether the caller is the contribution's seller.

    Raises
    ------
    NotFound
        If the caller is neither the contribution's seller nor the evaluation's buyer.
    """
    evaluation = visible_evaluation(session, caller, evaluation_id)
    used = _used(evaluation, contribution_id)
    is_seller = used is not None and used.contribution.account_id == caller.as_seller
    is_buyer = evaluation.request.account_id == caller.as_buyer
    if used is None or not (is_seller or is_buyer):
        raise NotFound(
            f"Evaluation {evaluation_id} uses no contribution {contribution_id} that your key may "
            "see. Choose an id, con_…, from the evaluation's contribution_ids.",
            received=contribution_id,
        )
    return evaluation, used.contribution, is_seller


def _require_visible(
    evaluation: Evaluation,
    contribution: Contribution,
    visibility: wire.ScoresShown,
    *,
    is_seller: bool,
    named_of: str = "A party",
) -> None:
    """Raise if the caller may read no scores of a contribution: if `visibility` is `none`.

    `is_seller` tells whether the caller is the contribution's seller. `named_of` is the party that,
    according to the message, has too few points.

    Raises
    ------
    ScoresWithheld
        If the seller discloses nothing to the buyer, or a party has too few points for any to be
        named.
    """
    if visibility != "none":
        return
    if is_seller or contribution.score_policy != "none":
        raise ScoresWithheld(
            f"{named_of} of evaluation {evaluation.id} has too few effective points: at least "
            f"{POINTS_PER_NAME} are needed, equal points count once, and uneven weights lower the "
            "count. Naming the noisiest of so few points would disclose too much about each.",
            expected=f"at least {POINTS_PER_NAME} effective points of each party",
        )
    raise ScoresWithheld(
        f"The seller of contribution {contribution.id} discloses no scores to the buyer "
        "(score_policy none). Ask the seller for a contribution with score_policy ranks or scores.",
        expected=["ranks", "scores"],
        received=visibility,
    )


def _used(evaluation: Evaluation, contribution_id: str) -> EvaluatedContribution | None:
    return next(
        (used for used in evaluation.contributions if used.contribution_id == contribution_id),
        None,
    )


def _require_scores(evaluation: Evaluation, caller: Principal) -> None:
    require_result(evaluation, caller)
    if evaluation.request.epsilon is not None:
        raise NoScores(
            f"Evaluation {evaluation.id} has no scores, because they would undo the noise that "
            "its request asks for. To get scores, open a request without an epsilon.",
            expected={"epsilon": None},
            received={"epsilon": evaluation.request.epsilon},
        )
    first = evaluation.contributions[0].contribution
    if not first.terms.is_verified:
        raise NoScores(
            f"Evaluation {evaluation.id} has no scores, because its contributions are scalars, "
            "which tell nothing about single points.",
            expected=[name for name, terms in MODES.items() if terms.is_verified],
            received=first.mode,
        )


def _scores(
    session: Session,
    store: ArrayStore,
    evaluation: Evaluation,
    contribution: Contribution | None,
    s: float | None,
    visibility: wire.ScoresShown,
) -> wire.PointScores:
    """Return the scores of a party's points at one s.

    A `contribution` of None stands for the buyer's points. An `s` of None stands for the s at which
    all sellers' points together are nearest to the buyer's. If that s is not in the sweep, the
    scores are interpolated.

    Raises
    ------
    UnknownSweepValue
        If the sweep has no such s.
    ScoresWithheld
        If the caller names an s but may not read scores.
    NoScores
        If the party's points were deleted.
    """
    sweep = evaluation.request.sweep
    if s is not None and s not in sweep:
        raise UnknownSweepValue(
            f"Evaluation {evaluation.id} has no scores at s = {s}. Choose one of "
            f"{', '.join(map(str, sweep))}.",
            expected=sweep,
            received=s,
        )
    if s is not None and visibility != "scores":
        raise ScoresWithheld(
            "Ranks and the noisiest points are shown only at the s at which the sellers' points "
            "pass nearest to the buyer's. Leave s out.",
            expected=None,
            received=s,
        )
    name = None if contribution is None else contribution.id
    measure = cast("BuyerMeasure", evaluation.request.measure)  # an opened request has a measure
    party = measure if contribution is None else contribution.arrays[0]
    _require_stored(party)
    computed = evaluation.extends or evaluation.id
    scored = result_repository.scored_points(session, computed, name)
    if s is None:
        result = cast("Result", result_repository.result_of(session, computed))
        array = _interpolated(store, scored, cast("float", result.nearest_s))
    else:
        array = _mapped(store, next(each for each in scored if each.s == s))
    methods = {each.method for each in scored if s in {None, each.s}}
    method = "landmarks" if "landmarks" in methods else "exact"
    named = noisiest(array[:, 0], read_weights(store, party), max_named(evaluation))
    return scores_to_wire(computed, name, s, method, array, named, visibility)


def _interpolated(
    store: ArrayStore, scored: Sequence[ScoredPoints], s: float
) -> NDArray[np.float64]:
    """Interpolate a party's scores and their spreads at `s`.

    `scored` has the party's scores at every s of the sweep, by ascending s. The columns of the
    array are the scores and the spreads.
    """
    weights = curve_weights([each.s for each in scored], s)
    array = np.zeros_like(_mapped(store, scored[0]))
    for weight, each in zip(weights, scored, strict=True):
        array += weight * _mapped(store, each)
    # Where the plan changes between two s, interpolation can give a negative spread.
    array[:, 1] = array[:, 1].clip(min=0.0)
    return array


def _require_stored(party: StoredArrayColumns) -> None:
    """Raise if the points of a party were deleted.

    Raises
    ------
    NoScores
        If the points were deleted.
    """
    if party.deleted_at is not None:
        raise NoScores(
            f"The points were deleted at {party.deleted_at.isoformat()}, and the scores of the "
            "points with them."
        )


def _mapped(store: ArrayStore, scored: ScoredPoints) -> NDArray[np.float64]:
    """Return a party's scores at one s, a row for each point.

    Scores of points have two columns, the values and their spreads; scores of labels have one.
    """
    array = npy.memory_map(store.local_path(scored.digest))
    own = slice(scored.first_column, scored.first_column + 2)
    return np.asarray(array[:, own], dtype=np.float64)
