"""Shapley values of sellers: what each adds on average, whoever came before.

The worth of a coalition is minus its distance to the buyer. A coalition of nobody has no distance,
so it is given that of the farthest seller alone; another choice would move all values by one
constant, and the relative scores not at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from wassay.transport.errors import TransportError
from wassay.transport.market.sampled_permutations import averages
from wassay.transport.market.ties import Known, Resolved, relative_scores, smallest_first

MAX_EXACT_SELLERS = 10
"""With so many sellers all 2^N − 1 coalitions are solved; with more, permutations are sampled."""

STANDARD_ERROR = 0.05
"""At which sampling ends, as a share of the range of the values, unless it is asked otherwise."""

MAX_PERMUTATIONS = 1000
"""Sampled at most, unless it is asked otherwise."""

MIN_PERMUTATIONS = 20
"""Sampled at least, before a standard error is believed."""

_SAME = 1e-3
"""Values that differ by less than this share of the largest distance are not told apart."""

DistanceOf = Callable[[frozenset[str]], Known | float]
"""Says how far a coalition is from the buyer."""

EndedBy = Literal["every-coalition", "standard-error", "permutations", "time"]


@dataclass(frozen=True)
class Shapley:
    """Shapley values of −W.

    Attributes
    ----------
    values : dict of seller id to float
        In units of the coordinates; they sum to the farthest seller's distance alone less that of
        all together, exactly where every coalition was solved.
    standard_errors : dict of seller id to float
        Zero when every coalition was solved; infinite for who was hardly sampled.
    permutations : int
        How many permutations of the sellers were sampled; 0 when every coalition was solved.
    resolution : float
        How far any value may be off for what is not known of the distances. Values whose intervals
        overlap are ties; standard errors of sampling come on top.
    ended_by : {'every-coalition', 'standard-error', 'permutations', 'time'}
        Why no more were: all coalitions are solved, every standard error is as small as was asked
        for or too small to matter, or the most permutations, or all the time that was allowed, is
        used up.
    """

    values: dict[str, float]
    standard_errors: dict[str, float]
    permutations: int
    resolution: float
    ended_by: EndedBy

    @property
    def relative_scores(self) -> dict[str, float]:
        """Scaled to [0, 1], 1 for the seller who adds most; ties have the same, see `ranks`."""
        return relative_scores(self._as_distances)

    @property
    def largest_first(self) -> list[str]:
        """The sellers by what they add, most first; ties in the order given."""
        return smallest_first(self._as_distances)

    @property
    def _as_distances(self) -> dict[str, Resolved]:
        """The values with their signs changed, so that the smallest is the best."""
        return {
            seller: Resolved(-value, (-value - self.resolution, -value + self.resolution))
            for seller, value in self.values.items()
        }


def shapley(
    sellers: Sequence[str],
    distance: DistanceOf,
    *,
    weights: Mapping[str, float] | None = None,
    standard_error: float = STANDARD_ERROR,
    max_permutations: int = MAX_PERMUTATIONS,
    seed: int = 0,
) -> Shapley:
    """Share the worth −W of all sellers together among them.

    Up to ten sellers every coalition is asked for. With more, what the first and the last of an
    order add is exact (each seller alone, and left out), and what those between add is averaged
    over random permutations, each taken forwards and backwards, until every standard error is at
    most `standard_error` times the distance between the largest and the smallest value, or too
    small to matter.

    Parameters
    ----------
    sellers : sequence of str
        At least one, each once.
    distance : callable
        W of a coalition that is not empty: a `Distance`, an `Estimate`, or a bare number. Is asked
        for one coalition several times.
    weights : mapping of seller id to float, optional
        How much each weighs in a coalition, as a help to sampling; all the same when left out.
    standard_error : float
        Largest wanted, as a share of the range of the values; sampling only.
    max_permutations : int
        Sampling ends here at the latest: even, for each order is taken backwards too.
    seed : int
        Of the sampled permutations.

    Raises
    ------
    TransportError
        When there is no seller, or one comes twice; or when the most permutations are odd, or none.
    """
    players = tuple(sellers)
    if not players or len(set(players)) < len(players):
        raise TransportError(f"values are shared among sellers, each once, got {list(sellers)}")
    if max_permutations < 2 or max_permutations % 2:
        raise TransportError(f"max_permutations is even and at least 2, got {max_permutations}")
    if len(players) <= MAX_EXACT_SELLERS:
        return exact_shapley(players, distance)
    permutations = min(MIN_PERMUTATIONS, max_permutations)
    while True:
        found = sampled_shapley(players, distance, weights, permutations=permutations, seed=seed)
        more = further_permutations(found, distance, standard_error)
        if not more:
            return replace(found, ended_by="standard-error")
        if permutations >= max_permutations:
            return found
        permutations = min(permutations + more, max_permutations)


def exact_shapley(sellers: Sequence[str], distance: DistanceOf) -> Shapley:
    """Exact values of a few sellers, from the distances of all their coalitions."""
    count = len(sellers)
    coalitions = [frozenset(g) for k in range(1, count + 1) for g in combinations(sellers, k)]
    resolved = _Resolving(distance)
    known = {coalition: resolved(coalition) for coalition in coalitions}
    known[frozenset()] = max(known[frozenset((player,))] for player in sellers)
    permutations = math.factorial(count)
    values = {}
    for player in sellers:
        shares = [
            math.factorial(len(coalition))
            * math.factorial(count - len(coalition) - 1)
            / permutations
            * (known[coalition] - known[coalition | {player}])
            for coalition in known
            if player not in coalition
        ]
        values[player] = math.fsum(shares)
    return Shapley(
        values,
        dict.fromkeys(sellers, 0.0),
        permutations=0,
        resolution=resolved.resolution,
        ended_by="every-coalition",
    )


def sampled_shapley(
    sellers: Sequence[str],
    distance: DistanceOf,
    weights: Mapping[str, float] | None = None,
    *,
    permutations: int,
    seed: int = 0,
) -> Shapley:
    """Values of many sellers from so many sampled permutations, whatever their standard errors."""
    players = tuple(sellers)
    resolved = _Resolving(distance)
    found = averages(players, resolved, weights or dict.fromkeys(players, 1.0), permutations, seed)
    return Shapley(
        dict(zip(players, map(float, found.values), strict=True)),
        dict(zip(players, map(float, found.errors), strict=True)),
        permutations=permutations,
        resolution=resolved.resolution,
        ended_by="permutations",
    )


def further_permutations(found: Shapley, distance: DistanceOf, standard_error: float) -> int:
    """How many more permutations are worth sampling now, an even number; 0 when errors are small
    enough.

    As many as it probably takes, but no more than there were: the errors are estimates themselves.
    """
    values, largest = found.values.values(), max(found.standard_errors.values())
    farthest = max(Resolved.of(distance(frozenset((seller,)))).value for seller in found.values)
    allowed = max(standard_error * (max(values) - min(values)), _SAME * farthest / len(values))
    if largest <= allowed:
        return 0
    pairs = min((largest / allowed) ** 2 - 1, 1.0) * found.permutations / 2
    return 2 * max(math.ceil(pairs), 1)


class _Resolving:
    """Passes values of distances on, and keeps how far they may be off at most."""

    def __init__(self, distance: DistanceOf) -> None:
        self._distance = distance
        self._stray = 0.0

    def __call__(self, coalition: frozenset[str]) -> float:
        known = Resolved.of(self._distance(coalition))
        self._stray = max(self._stray, known.stray)
        return known.value

    @property
    def resolution(self) -> float:
        """How far the mean difference of two distances may be off."""
        return 2 * self._stray
