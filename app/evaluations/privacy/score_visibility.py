"""Who sees how much of the scores of one evaluation.

All its points are in one transport problem, so exact scores of anybody's points tell of everybody's
records: many points of one's own, with their scores, give the other side's points and potentials,
and these the records of all other sellers. Ranks do nearly as well. So one seller's consent is not
enough for them, and what else is told is bounded in bits: which few points are the noisiest.
"""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from wassay.models import ScoresShown
from wassay.transport import highest_first

from ...contributions.models import Contribution
from ...requests.models import BuyerMeasure
from ..models import Evaluation

SHARE = 10
"""One of a party's points is named as one of the noisiest for so many places of the smallest party.
Of a party with m of them, one who has n points learns log₂ C(n, m/10)/m bits for each: 1 for
n = 100 m, and 1.7 at most, for m = 10 and n = 100,000."""


def shown_to_buyer(evaluation: Evaluation, contribution: Contribution) -> ScoresShown:
    """Tell what the buyer may read of the scores of a seller's points.

    What their seller shows, where there is no other seller; among several, scores where all show
    them, and no more than the noisiest otherwise, or nothing where none may be named.
    """
    policy: ScoresShown = contribution.score_policy  # type: ignore[assignment]
    if not contribution.terms.is_verified:  # of which no scores follow
        return "none"
    if policy == "none" or len(evaluation.contributions) == 1:
        return policy
    return "scores" if buyer_scores_shown(evaluation) else _few(evaluation)


def shown_to_seller(evaluation: Evaluation, contribution: Contribution) -> ScoresShown:
    """Tell what a seller may read of the scores of their own points.

    Scores where the buyer consents to be located by them, and every other seller shows scores;
    otherwise which are the noisiest, or nothing where none may be named.
    """
    others = (
        used.contribution
        for used in evaluation.contributions
        if used.contribution_id != contribution.id
    )
    is_agreed = all(other.score_policy == "scores" for other in others)
    return "scores" if evaluation.request.reveals_scores and is_agreed else _few(evaluation)


def buyer_scores_shown(evaluation: Evaluation) -> bool:
    """Tell whether the buyer may read the scores of the buyer's own points.

    They are potentials, and piecewise linear in the place of a point once its square is taken away:
    some d + 1 of the buyer's points for each record give the records of all sellers, whichever of
    them shows scores. So it takes every seller's consent.
    """
    return all(used.contribution.score_policy == "scores" for used in evaluation.contributions)


def is_compared(contribution: Contribution) -> bool:
    """Tell whether the buyer may read how far a seller's points are from others that are compared.

    The service has them in mode `measure` alone.
    """
    return contribution.compared and contribution.terms.sends_points


def most_named(evaluation: Evaluation) -> int:
    """Return how many of a party's points may be named as the noisiest: 0 where a party is small.

    Counted is how many places, or rows, of equal weight each party's measure is as even as: of one
    whose mass lies on few, more would be told for each of these.
    """
    # It was opened, so it has a measure.
    places = [cast("BuyerMeasure", evaluation.request.measure).effective_support]
    places += [used.contribution.arrays[0].effective_rows for used in evaluation.contributions]
    return min(places) // SHARE


def noisiest(
    scores: NDArray[np.float64], weights: NDArray[np.float64] | None, count: int
) -> NDArray[np.intp]:
    """Return which points have the highest scores, in the order of their rows.

    Parameters
    ----------
    scores : ndarray, shape (n,)
    weights : ndarray, shape (n,), optional
        None where all weigh the same. Points of less than half the average weight are never named:
        made up by the thousand, they would single out one of the buyer's points, which takes part
        in the transport of no more than its own mass. Of the others there are a quarter of 1/Σp² at
        least, as they hold half of the mass.
    count : int
        How many, as `most_named` says.
    """
    candidates = (
        np.arange(len(scores)) if weights is None else np.flatnonzero(weights >= weights.mean() / 2)
    )
    highest = highest_first(scores[candidates])[:count]
    return np.sort(candidates[highest])


def _few(evaluation: Evaluation) -> ScoresShown:
    return "noisiest" if most_named(evaluation) else "none"
