"""Ranking by numbers that are known to within an interval: what is not told apart ties."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from wassay.transport.errors import TransportError

CERTIFIED = 1e-9
"""A bare number is taken to be off by up to this share, the largest gap of a certificate."""

_ALIKE = 1e-6
"""Values of one rank are not sorted where they differ by less than this share of the largest."""

_ALIKE_BESIDE_STRAY = 0.1
"""Nor where they differ by less than this share of how far the best known one may be off."""


class Known(Protocol):
    """A distance and where it is known to lie: a `Distance`, or an `Estimate`."""

    @property
    def value(self) -> float:
        """In units of the coordinates."""

    @property
    def resolution(self) -> tuple[float, float]:
        """The interval that the distance is known to lie in; holds the value."""


@dataclass(frozen=True)
class Resolved:
    """A number and the interval that it is known to lie in."""

    value: float
    resolution: tuple[float, float]

    @classmethod
    def of(cls, number: Known | float) -> Resolved:
        """Take a distance as it is, and a bare number as good as a certified one."""
        if isinstance(number, (int, float)):
            stray = CERTIFIED * abs(number)
            return cls(float(number), (number - stray, number + stray))
        return cls(number.value, number.resolution)

    @property
    def stray(self) -> float:
        """How far the value may be off."""
        low, high = self.resolution
        return max(self.value - low, high - self.value, 0.0)


def ranks(numbers: Mapping[str, Known | float]) -> dict[str, int]:
    """Rank by value, 0 for the smallest.

    A rank takes in one number after the other, as long as the intervals of all of them share a
    point. So no two of one rank are proven to differ, whatever the intervals of others.

    Raises
    ------
    TransportError
        If a number is not finite.
    """
    resolved = {name: Resolved.of(number) for name, number in numbers.items()}
    if not all(math.isfinite(number.value) for number in resolved.values()):
        values = {name: number.value for name, number in resolved.items()}
        raise TransportError(f"only finite numbers can be ranked, got {values}")
    found: dict[str, int] = {}
    rank, lowest, highest = -1, math.inf, -math.inf
    for name in sorted(resolved, key=lambda name: resolved[name].value):
        low, high = resolved[name].resolution
        lowest, highest = max(lowest, low), min(highest, high)
        if lowest > highest:
            rank, lowest, highest = rank + 1, low, high
        found[name] = rank
    return found


def smallest_first(numbers: Mapping[str, Known | float]) -> list[str]:
    """Sort by rank, then by value where it differs by more than noise, then as given."""
    rank = ranks(numbers)
    resolved = {name: Resolved.of(number) for name, number in numbers.items()}
    largest = max((abs(number.value) for number in resolved.values()), default=0.0)
    least = min((number.stray for number in resolved.values()), default=0.0)
    grain = max(_ALIKE * largest, _ALIKE_BESIDE_STRAY * least) or 1.0
    return sorted(numbers, key=lambda name: (rank[name], round(resolved[name].value / grain)))


def relative_scores(distances: Mapping[str, Known | float]) -> dict[str, float]:
    """Scale distances to relative scores in [0, 1]: 1 for the nearest seller, 0 for the farthest.

    Every rank (see `ranks`) has the score (d_max − d) / (d_max − d_min), where d is the smallest
    distance of the rank, and d_min and d_max are those of the first and the last rank.

    Parameters
    ----------
    distances : mapping of contribution id to distance or float

    Returns
    -------
    dict of contribution id to float
        All 1 if there is only one rank.

    Raises
    ------
    TransportError
        If a distance is not finite.
    """
    rank = ranks(distances)
    nearest_of: dict[int, float] = {}
    for seller, distance in distances.items():
        value = Resolved.of(distance).value
        nearest_of[rank[seller]] = min(value, nearest_of.get(rank[seller], math.inf))
    if len(nearest_of) < 2:
        return dict.fromkeys(distances, 1.0)
    nearest, farthest = nearest_of[0], nearest_of[len(nearest_of) - 1]
    return {
        seller: (farthest - nearest_of[rank[seller]]) / (farthest - nearest) for seller in distances
    }
