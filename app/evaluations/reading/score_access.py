"""Raise if an evaluation has no scores, or the caller may not read a contribution's scores."""

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.modes import MODES

from ...accounts.principal import Principal
from ...arrays.columns import StoredArrayColumns
from ...contributions.models import Contribution
from ...http.problems import NotFound
from ..access import visible_evaluation
from ..models import EvaluatedContribution, Evaluation
from ..privacy.noisiest_points import POINTS_PER_NAME
from ..problems import NoScores, ScoresWithheld
from .results import require_result


def scored_contribution(
    session: Session, caller: Principal, evaluation_id: str, contribution_id: str
) -> tuple[Evaluation, Contribution, bool]:
    """Return the evaluation, its contribution, and whether the caller is the contribution's seller.

    Whether the evaluation has scores is not checked: see `require_scores`.

    Raises
    ------
    NotFound
        If there is no such evaluation or contribution, or the caller is neither the contribution's
        seller nor the evaluation's buyer.
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


def require_scores(evaluation: Evaluation, caller: Principal) -> None:
    """Raise unless the evaluation has scores of points.

    Raises
    ------
    EvaluationNotFinished, EvaluationWithoutResult
        If the evaluation has no result.
    NoScores
        If its request has an epsilon, or its contributions are scalars.
    """
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


def require_visible(
    evaluation: Evaluation,
    contribution: Contribution,
    visibility: wire.ScoresShown,
    *,
    is_seller: bool,
    small_party: str = "A party",
) -> None:
    """Raise if a caller may read no scores of a contribution, because `visibility` is `none`.

    For the error message, `is_seller` tells whether the caller is the contribution's seller, and
    `small_party` names the party that may have too few points.

    Raises
    ------
    ScoresWithheld
        If the seller discloses nothing to the buyer, or a party has so few points that none of them
        may be named.
    """
    if visibility != "none":
        return
    if is_seller or contribution.score_policy != "none":
        raise ScoresWithheld(
            f"{small_party} of evaluation {evaluation.id} has too few effective points: at least "
            f"{POINTS_PER_NAME} are needed, the buyer's equal points count once, and uneven "
            "weights lower the count. Naming the noisiest of so few points would disclose too "
            "much about each.",
            expected=f"at least {POINTS_PER_NAME} effective points of each party",
        )
    raise ScoresWithheld(
        f"The seller of contribution {contribution.id} discloses no scores to the buyer "
        "(score_policy none). Ask the seller for a contribution with score_policy ranks or scores.",
        expected=["ranks", "scores"],
        received=visibility,
    )


def require_stored(party: StoredArrayColumns) -> None:
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


def _used(evaluation: Evaluation, contribution_id: str) -> EvaluatedContribution | None:
    return next(
        (used for used in evaluation.contributions if used.contribution_id == contribution_id),
        None,
    )
