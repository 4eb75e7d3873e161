"""Shapley values of contributions: the mean gain of each over all permutations.

The value of a coalition is minus its distance to the buyer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

from wassay.tabular import Columns, Tabular, records_to_columns
from wassay.transport.errors import TransportError
from wassay.transport.market.sampled_permutations import estimate_shapley
from wassay.transport.market.ties import (
    BoundedValue,
    HasTieInterval,
    relative_scores,
    smallest_first,
)

MAX_EXACT_SELLERS = 10
"""Up to this number N of sellers, all 2^N − 1 coalitions are solved; beyond it, few are."""

STANDARD_ERROR = 0.05
"""Default target of the standard errors, relative to the range of the values."""

MAX_PERMUTATIONS = 1000
"""Default limit of the number of permutations sampled."""

MIN_PERMUTATIONS = 20
"""Number of permutations sampled before standard errors are estimated."""

_NEGLIGIBLE = 1e-3
"""Standard errors do not matter below this share of the farthest singleton's distance, divided by
the number of sellers."""

CoalitionDistance = Callable[[frozenset[str]], HasTieInterval | float]
"""Returns the distance between a coalition and the buyer."""

EndedBy = Literal["every-coalition", "standard-error", "permutations", "time"]


@dataclass(frozen=True, repr=False)
class Shapley(Tabular):
    """Shapley values of sellers, where the value of a coalition is minus its distance W.

    Attributes
    ----------
    values : dict of contribution id to float
        In units of the coordinates. Their sum is the distance of the farthest singleton minus that
        of the grand coalition, up to errors of sampling.
    standard_errors : dict of contribution id to float
        0 if every coalition was solved. Infinite for a seller with too few samples.
    permutations : int
        Number of permutations sampled; 0 if every coalition was solved.
    max_error : float
        Bound on each value's error, without the error of sampling. Two values may be ties if they
        differ by at most twice this.
    ended_by : {'every-coalition', 'standard-error', 'permutations', 'time'}
        Why sampling ended. 'every-coalition': nothing had to be sampled. 'standard-error': the
        standard errors reached their target or are too small to matter. 'permutations' and 'time':
        a limit was reached.
    labels : mapping of contribution id to str
        The name under which the buyer sees each contribution; unknown names are missing.
    """

    values: dict[str, float]
    standard_errors: dict[str, float]
    permutations: int
    max_error: float
    ended_by: EndedBy
    labels: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> Columns:
        """Return columns with an entry for each contribution, the largest value first.

        The columns are `seller`, `contribution_id`, `value`, `standard_error` and `relative_score`.

        Returns
        -------
        dict of str to list
        """
        scores = self.relative_scores
        rows = [
            {
                "seller": self.labels.get(name),
                "contribution_id": name,
                "value": self.values[name],
                "standard_error": self.standard_errors[name],
                "relative_score": scores[name],
            }
            for name in self.largest_first
        ]
        return records_to_columns(rows)

    @property
    def relative_scores(self) -> dict[str, float]:
        """The values scaled to [0, 1], 1 for the largest; ties have equal scores (see `ranks`)."""
        return relative_scores(self._as_distances)

    @property
    def largest_first(self) -> list[str]:
        """Contribution ids, the largest value first; ties may keep the order of `values`."""
        return smallest_first(self._as_distances)

    @property
    def _as_distances(self) -> dict[str, BoundedValue]:
        """The values with reversed signs: like distances, the smallest is the best."""
        return {
            seller: BoundedValue(-value, (-value - self.max_error, -value + self.max_error))
            for seller, value in self.values.items()
        }


def shapley(
    contribution_ids: Sequence[str],
    distance: CoalitionDistance,
    *,
    weights: Mapping[str, float] | None = None,
    standard_error: float = STANDARD_ERROR,
    max_permutations: int = MAX_PERMUTATIONS,
    seed: int = 0,
) -> Shapley:
    """Compute Shapley values, where the value of a coalition is minus its distance to the buyer.

    Up to ten contributions, values are exact. With more, they are estimated from random
    permutations.

    Parameters
    ----------
    contribution_ids : sequence of str
        Distinct, at least one.
    distance : callable
        Returns the distance between a non-empty coalition and the buyer: a `Distance`, an
        `Estimate`, or a float. May be called several times for one coalition.
    weights : mapping of contribution id to float, optional
        Weight of each contribution in a coalition; equal by default. Only used to speed up
        sampling.
    standard_error : float
        Target of the standard errors, relative to the range of the values. Sampling ends once they
        reach it or are too small to matter.
    max_permutations : int
        Limit on the number of sampled permutations; even.
    seed : int
        Seed of the random permutations.

    Returns
    -------
    Shapley

    Raises
    ------
    TransportError
        If contribution ids are missing or repeated, or `max_permutations` is odd or below 2.

    Notes
    -----
    In a permutation, a contribution's gain is how much it reduces the distance of the contributions
    before it. Its Shapley value is its mean gain over all permutations.
    """
    ids = tuple(contribution_ids)
    if not ids or len(set(ids)) < len(ids):
        raise TransportError(f"expected distinct contribution ids, received {list(ids)}")
    if max_permutations < 2 or max_permutations % 2:
        raise TransportError(
            f"expected an even max_permutations of at least 2, received {max_permutations}"
        )
    if len(ids) <= MAX_EXACT_SELLERS:
        return exact_shapley(ids, distance)
    permutations = min(MIN_PERMUTATIONS, max_permutations)
    while True:
        estimated = sampled_shapley(ids, distance, weights, permutations=permutations, seed=seed)
        more = further_permutations(estimated, distance, standard_error)
        if not more:
            return replace(estimated, ended_by="standard-error")
        if permutations >= max_permutations:
            return estimated
        permutations = min(permutations + more, max_permutations)


def exact_shapley(contribution_ids: Sequence[str], distance: CoalitionDistance) -> Shapley:
    """Compute exact Shapley values from the distances of all coalitions.

    Parameters
    ----------
    contribution_ids : sequence of str
        Distinct, at least one.
    distance : callable
        See `shapley`; called once for every non-empty coalition.

    Returns
    -------
    Shapley
    """
    count = len(contribution_ids)
    sizes = range(1, count + 1)
    coalitions = [frozenset(each) for k in sizes for each in combinations(contribution_ids, k)]
    tracked = _ErrorTracker(distance)
    known = {coalition: tracked(coalition) for coalition in coalitions}
    # The empty coalition has no distance, so it is given that of the farthest singleton.
    known[frozenset()] = max(known[frozenset((each,))] for each in contribution_ids)
    permutations = math.factorial(count)
    values = {}
    for contribution_id in contribution_ids:
        shares = [
            math.factorial(len(coalition))
            * math.factorial(count - len(coalition) - 1)
            / permutations
            * (known[coalition] - known[coalition | {contribution_id}])
            for coalition in known
            if contribution_id not in coalition
        ]
        values[contribution_id] = math.fsum(shares)
    return Shapley(
        values,
        dict.fromkeys(contribution_ids, 0.0),
        permutations=0,
        max_error=tracked.max_error,
        ended_by="every-coalition",
    )


def sampled_shapley(
    contribution_ids: Sequence[str],
    distance: CoalitionDistance,
    weights: Mapping[str, float] | None = None,
    *,
    permutations: int,
    seed: int = 0,
) -> Shapley:
    """Estimate Shapley values from a given number of permutations.

    Parameters
    ----------
    contribution_ids : sequence of str
        Distinct, at least three.
    distance, weights, seed
        See `shapley`.
    permutations : int
        Even, at least two.

    Returns
    -------
    Shapley
        Standard errors may be of any size; `ended_by` is 'permutations'.
    """
    ids = tuple(contribution_ids)
    tracked = _ErrorTracker(distance)
    weights = weights or dict.fromkeys(ids, 1.0)
    estimated = estimate_shapley(ids, tracked, weights, permutations, seed)
    return Shapley(
        dict(zip(ids, map(float, estimated.values), strict=True)),
        dict(zip(ids, map(float, estimated.errors), strict=True)),
        permutations=permutations,
        max_error=tracked.max_error,
        ended_by="permutations",
    )


def further_permutations(
    estimated: Shapley, distance: CoalitionDistance, standard_error: float
) -> int:
    """Estimate how many more permutations bring the standard errors to their target.

    Parameters
    ----------
    estimated : Shapley
    distance : callable
        See `shapley`; called for singletons.
    standard_error : float
        Target, relative to the range of the values.

    Returns
    -------
    int
        Even, and at most the number sampled so far. 0 if no more are needed.
    """
    values, largest = estimated.values.values(), max(estimated.standard_errors.values())
    farthest = max(
        BoundedValue.of(distance(frozenset((seller,)))).value for seller in estimated.values
    )
    allowed = max(
        standard_error * (max(values) - min(values)), _NEGLIGIBLE * farthest / len(values)
    )
    if largest <= allowed:
        return 0
    # Standard errors are uncertain themselves, so at most double the sample.
    pairs = min((largest / allowed) ** 2 - 1, 1.0) * estimated.permutations / 2
    return 2 * max(math.ceil(pairs), 1)


class _ErrorTracker:
    """Returns distances of coalitions as floats, and keeps the largest error among them."""

    def __init__(self, distance: CoalitionDistance) -> None:
        self._distance = distance
        self._max_error = 0.0

    def __call__(self, coalition: frozenset[str]) -> float:
        known = BoundedValue.of(self._distance(coalition))
        self._max_error = max(self._max_error, known.max_error)
        return known.value

    @property
    def max_error(self) -> float:
        """Bound on the error of a Shapley value."""
        # A value is a mean of differences of two distances.
        return 2 * self._max_error
