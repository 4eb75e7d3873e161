"""Rank numbers that have error intervals: numbers may tie if their intervals overlap."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from wassay.transport.errors import TransportError

CERTIFIED_TOLERANCE = 1e-9
"""The relative error that is assumed for a bare number: the largest gap of a certificate."""

_GRAIN = 1e-6
"""Values of one rank are rounded to multiples of a grain.

The grain is at least this share of the largest absolute value.
"""

_GRAIN_OF_ERROR = 0.1
"""The grain (see `_GRAIN`) is at least this share of the smallest error of a value, too."""


class HasTieInterval(Protocol):
    """A computed number, such as a `Distance`, with an interval that contains the exact one."""

    @property
    def value(self) -> float:
        """The computed value, in units of the coordinates."""

    @property
    def tie_interval(self) -> tuple[float, float]:
        """The interval; it contains the computed value, too."""


@dataclass(frozen=True)
class BoundedValue:
    """A computed value, and an interval that contains the exact one.

    Attributes
    ----------
    value : float
    tie_interval : tuple of float
        The interval; it contains the computed value, too.
    """

    value: float
    tie_interval: tuple[float, float]

    @classmethod
    def of(cls, number: HasTieInterval | float) -> BoundedValue:
        """Return a number with its tie interval; that of a float x is x ± 1e-9 |x|.

        Parameters
        ----------
        number : Distance, Estimate or float

        Returns
        -------
        BoundedValue
        """
        if isinstance(number, (int, float)):
            max_error = CERTIFIED_TOLERANCE * abs(number)
            return cls(float(number), (number - max_error, number + max_error))
        return cls(number.value, number.tie_interval)

    @property
    def max_error(self) -> float:
        """Largest distance from the value to an end of the interval."""
        low, high = self.tie_interval
        return max(self.value - low, high - self.value, 0.0)


def ranks(numbers: Mapping[str, HasTieInterval | float]) -> dict[str, int]:
    """Rank numbers by value, from 0 for the smallest; ranks have no gaps.

    A number shares the rank of the next smaller one if its interval and all intervals of that rank
    have a common point.

    Parameters
    ----------
    numbers : mapping of str to distance or float

    Returns
    -------
    dict of str to int

    Raises
    ------
    TransportError
        If a number is not finite.
    """
    resolved = {key: BoundedValue.of(number) for key, number in numbers.items()}
    if not all(math.isfinite(number.value) for number in resolved.values()):
        values = {key: number.value for key, number in resolved.items()}
        raise TransportError(f"expected finite numbers, received {values}")
    rank_of: dict[str, int] = {}
    rank, lowest, highest = -1, math.inf, -math.inf
    # A number joins the rank of the smaller ones before it as long as a common point is left.
    for key in sorted(resolved, key=lambda key: resolved[key].value):
        low, high = resolved[key].tie_interval
        lowest, highest = max(lowest, low), min(highest, high)
        if lowest > highest:
            rank, lowest, highest = rank + 1, low, high
        rank_of[key] = rank
    return rank_of


def smallest_first(numbers: Mapping[str, HasTieInterval | float]) -> list[str]:
    """Sort keys by rank and, within a rank, by value.

    Keys of one rank whose values differ only by noise may keep their order.

    Parameters
    ----------
    numbers : mapping of str to distance or float

    Returns
    -------
    list of str
        The keys.

    Raises
    ------
    TransportError
        If a number is not finite.
    """
    rank = ranks(numbers)
    resolved = {key: BoundedValue.of(number) for key, number in numbers.items()}
    largest = max((abs(number.value) for number in resolved.values()), default=0.0)
    smallest_error = min((number.max_error for number in resolved.values()), default=0.0)
    # Values that differ by less than this differ only by noise.
    grain = max(_GRAIN * largest, _GRAIN_OF_ERROR * smallest_error) or 1.0
    return sorted(numbers, key=lambda key: (rank[key], round(resolved[key].value / grain)))


def relative_scores(distances: Mapping[str, HasTieInterval | float]) -> dict[str, float]:
    """Scale distances linearly to scores: 1 for the nearest sellers, 0 for the farthest.

    Sellers of one rank (see `ranks`) have the same score, computed from the nearest of them.

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
    smallest_of: dict[int, float] = {}
    for seller, distance in distances.items():
        value = BoundedValue.of(distance).value
        smallest_of[rank[seller]] = min(value, smallest_of.get(rank[seller], math.inf))
    if len(smallest_of) < 2:
        return dict.fromkeys(distances, 1.0)
    nearest, farthest = smallest_of[0], smallest_of[len(smallest_of) - 1]
    return {
        seller: (farthest - smallest_of[rank[seller]]) / (farthest - nearest)
        for seller in distances
    }
