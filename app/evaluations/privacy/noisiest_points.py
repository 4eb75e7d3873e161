"""Name few points as the noisiest, so that each party learns few bits about each point of others.

`score_visibility` decides who reads scores in full.
"""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from wassay.transport import highest_first

from ...contributions.models import Contribution
from ...requests.models import BuyerMeasure
from ..models import Evaluation

# If the smallest party has m points, a party with n points learns log₂ C(n, m/10)/m bits about each
# of them: 1 bit for n = 100 m, and at most 1.7 bits, for m = 10 and n = 100,000.
POINTS_PER_NAME = 10
"""How many effective points the smallest party needs for each point that is named as noisiest."""
_HALF_STEPS = (2, 3, 4, 6, 10, 14)
"""The numbers 1, 1.5, 2, 3, 5 and 7 of the steps in `rounded_down`, doubled."""


def max_named(evaluation: Evaluation) -> int:
    """Return how many of a party's points may be named as the noisiest.

    The number depends on the effective number of points of the smallest party. It is 0 if that is
    below `POINTS_PER_NAME`.
    """
    # The effective number of points is 1/Σp² for weights p: naming points discloses more about each
    # if few points have most of the mass. An opened request has a measure.
    support = [cast("BuyerMeasure", evaluation.request.measure).effective_support]
    support += [used.contribution.arrays[0].effective_rows for used in evaluation.contributions]
    # Rounded, because every party learns from it roughly how small the smallest party is.
    return rounded_down(min(support) // POINTS_PER_NAME)


def max_labels_named(evaluation: Evaluation, contribution: Contribution) -> int:
    """Return how many of a seller's points may be named as wrongly labelled.

    The number depends on the effective number of points of the buyer or of this seller, whichever
    is smaller.
    """
    measure = cast("BuyerMeasure", evaluation.request.measure)  # an opened request has a measure
    fewest = min(measure.effective_support, contribution.arrays[0].effective_rows)
    return rounded_down(fewest // POINTS_PER_NAME)


def rounded_down(count: int) -> int:
    """Return the largest of 0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, … up to `count`."""
    unit: int = 10 ** (len(str(count)) - 1)
    numbers = (0, *(halves * unit // 2 for halves in _HALF_STEPS))
    return max(number for number in numbers if number <= count)


def noisiest(
    scores: NDArray[np.float64], weights: NDArray[np.float64] | None, count: int
) -> NDArray[np.intp]:
    """Return the indices of the points with the highest scores.

    The indices ascend, so that their order tells nothing about the scores.

    Parameters
    ----------
    scores : ndarray, shape (n,)
        The score of each point.
    weights : ndarray, shape (n,), optional
        None if all weights are equal. Points of less than half the average weight are left out.
    count : int
        The most points to return; see `max_named`.
    """
    # Light points are left out, because with thousands of them, a seller could single out one of
    # the buyer's points. The candidates have at least half of the mass, so there are at least N/4
    # of them, where N is the effective number of points.
    candidates = (
        np.arange(len(scores)) if weights is None else np.flatnonzero(weights >= weights.mean() / 2)
    )
    highest = highest_first(scores[candidates])[:count]
    return np.sort(candidates[highest])
