"""Decide which scores of an evaluation each party may read.

With several sellers, scores need the consent of all; otherwise at most a few noisiest points are
named.
"""

from wassay.models import ScoresShown

from ...contributions.models import Contribution
from ..models import Evaluation
from .noisiest_points import max_labels_named, max_named


def visible_to_buyer(evaluation: Evaluation, contribution: Contribution) -> ScoresShown:
    """Return which scores of a seller's points the buyer may read.

    A single seller's policy decides; with several sellers, scores need the consent of all.
    """
    policy: ScoresShown = contribution.score_policy  # type: ignore[assignment]
    if not contribution.terms.is_verified:  # the service solved nothing, so there are no scores
        return "none"
    if policy == "none" or len(evaluation.contributions) == 1:
        return policy
    return "scores" if buyer_scores_visible(evaluation) else _noisiest_or_none(evaluation)


def visible_to_seller(evaluation: Evaluation, contribution: Contribution) -> ScoresShown:
    """Return which scores of a seller's own points that seller may read.

    Scores need the consent of the buyer and of all other sellers; otherwise at most a few noisiest
    points are named.
    """
    # All points are in one transport problem. From scores of many own points, and nearly as well
    # from their ranks, a party can compute the records of all others.
    others = (
        used.contribution
        for used in evaluation.contributions
        if used.contribution_id != contribution.id
    )
    is_agreed = all(other.score_policy == "scores" for other in others)
    return (
        "scores"
        if evaluation.request.reveals_scores and is_agreed
        else _noisiest_or_none(evaluation)
    )


def labels_visible_to_buyer(contribution: Contribution) -> ScoresShown:
    """Return which scores of a seller's labels the buyer may read: the seller's policy."""
    policy: ScoresShown = contribution.score_policy  # type: ignore[assignment]
    return policy


def labels_visible_to_seller(evaluation: Evaluation, contribution: Contribution) -> ScoresShown:
    """Return which scores of a seller's own labels that seller may read.

    If the request does not reveal scores, at most a few of the worst labels are named.
    """
    # From scores, a seller with enough points can compute the buyer's points.
    if evaluation.request.reveals_scores:
        return "scores"
    return "noisiest" if max_labels_named(evaluation, contribution) else "none"


def buyer_scores_visible(evaluation: Evaluation) -> bool:
    """Return whether the buyer may read the scores of the buyer's own points.

    Every seller must consent, because these scores can reveal the records of all sellers.
    """
    # The scores are potentials, and a potential minus the point's squared norm is a piecewise
    # affine function of the point. So a buyer with about d + 1 points for each record can compute
    # all records.
    return all(used.contribution.score_policy == "scores" for used in evaluation.contributions)


def may_be_compared(contribution: Contribution) -> bool:
    """Return whether a seller permits distances to other sellers, and sends points.

    The buyer may read the distance between two sellers if this is true of both.
    """
    return contribution.allows_comparison and contribution.terms.sends_points


def _noisiest_or_none(evaluation: Evaluation) -> ScoresShown:
    return "noisiest" if max_named(evaluation) else "none"
