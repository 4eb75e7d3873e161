"""Read the scores of points and of labels, as far as the caller may."""

from typing import cast

from sqlalchemy.orm import Session

from wassay import models as wire

from ...accounts.principal import Principal
from ...arrays.store import ArrayStore
from ...contributions.models import Contribution
from ...contributions.problems import UnknownSweepValue
from ...requests.models import BuyerMeasure
from .. import result_repository
from ..access import own_evaluation
from ..computing.stored_arrays import read_weights
from ..models import Evaluation, Result
from ..presentation import label_scores_to_wire, scores_to_wire
from ..privacy.noisiest_points import max_labels_named, max_named, noisiest
from ..privacy.score_visibility import (
    buyer_scores_visible,
    labels_visible_to_buyer,
    labels_visible_to_seller,
    visible_to_buyer,
    visible_to_seller,
)
from ..problems import NoScores, ScoresWithheld
from .results import require_result
from .score_access import require_scores, require_stored, require_visible, scored_contribution
from .stored_scores import interpolate_scores, read_stored_scores


def read_buyer_scores(
    session: Session, store: ArrayStore, caller: Principal, evaluation_id: str, s: float | None
) -> wire.PointScores:
    """Return the scores of the buyer's own points, if every seller discloses scores.

    Without an `s`, return the scores at the result's `nearest_s`.

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
    require_scores(evaluation, caller)
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

    Without an `s`, return the scores at the result's `nearest_s`.

    Raises
    ------
    NotFound
        If there is no such evaluation or contribution, or the caller may not see it.
    ScoresWithheld
        If the seller discloses nothing to the buyer, or a party has too few points for any to be
        named. Also if the caller names an s but may not read scores.
    EvaluationNotFinished, EvaluationWithoutResult, NoScores
        If there are no scores.
    UnknownSweepValue
        If the sweep has no such s.
    """
    evaluation, contribution, is_seller = scored_contribution(
        session, caller, evaluation_id, contribution_id
    )
    require_scores(evaluation, caller)
    visibility = (visible_to_seller if is_seller else visible_to_buyer)(evaluation, contribution)
    require_visible(evaluation, contribution, visibility, is_seller=is_seller)
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
        If the seller discloses nothing to the buyer. If the caller is the seller, and the buyer or
        the seller has too few points for any to be named.
    EvaluationNotFinished, EvaluationWithoutResult, NoScores
        If there are no scores of labels.
    """
    evaluation, contribution, is_seller = scored_contribution(
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
    require_visible(
        evaluation,
        contribution,
        visibility,
        is_seller=is_seller,
        small_party="The buyer or the seller",
    )
    require_stored(contribution.arrays[0])
    scored = result_repository.scored_labels(
        session, evaluation.extends or evaluation.id, contribution_id
    )
    (scores,) = (read_stored_scores(store, each)[:, 0] for each in scored if each.kind == "labels")
    swept = {
        each.s: read_stored_scores(store, each)[:, 0]
        for each in scored
        if each.kind == "swept-labels" and not is_seller
    }
    weights = read_weights(store, contribution.arrays[0])
    worst = noisiest(scores, weights, max_labels_named(evaluation, contribution))
    return label_scores_to_wire(evaluation_id, contribution_id, scores, swept, worst, visibility)


def _scores(
    session: Session,
    store: ArrayStore,
    evaluation: Evaluation,
    contribution: Contribution | None,
    s: float | None,
    visibility: wire.ScoresShown,
) -> wire.PointScores:
    """Return the scores of a party's points at one s; the buyer's if `contribution` is None.

    Without an `s`, interpolate the scores at the result's `nearest_s`.

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
    require_stored(party)
    computed = evaluation.extends or evaluation.id
    scored = result_repository.scored_points(session, computed, name)
    if s is None:
        result = cast("Result", result_repository.result_of(session, computed))
        array = interpolate_scores(store, scored, cast("float", result.nearest_s))
    else:
        array = read_stored_scores(store, next(each for each in scored if each.s == s))
    methods = {each.method for each in scored if s in {None, each.s}}
    method = "landmarks" if "landmarks" in methods else "exact"
    named = noisiest(array[:, 0], read_weights(store, party), max_named(evaluation))
    return scores_to_wire(computed, name, s, method, array, named, visibility)
