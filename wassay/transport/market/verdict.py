"""Judge whether a seller's points could be a sample of the buyer's population."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from wassay.transport.sweeps.polynomial_fit import quadratic_weights

Verdict = Literal["as-near-as-own", "different", "cannot-tell"]

# The distribution of T by chance is estimated from few parts. So not one in two hundred but about
# one in a hundred samples of the buyer's own population is called different
# (`make bench-nearness`).
LEVEL = 0.005
"""Below this p-value, points are called different."""
# In five columns of equal spread, this is a shift of one column by half a standard deviation.
RELEVANT_SHARE = 0.05
"""A difference matters if its square is at least this share of the buyer's total variance."""
CONFIDENCE = 0.9
_QUANTILE = 1.6448536269514722
"""The quantile of the standard normal distribution for two-sided intervals of `CONFIDENCE`."""
_POWER_QUANTILE = 0.8416212335729143
"""The 80 % quantile of the standard normal distribution: to notice four of five differences."""
_NEARLY_NORMAL = 1e-3
"""A smaller skewness is replaced by this, at which the gamma distribution is nearly normal."""


@dataclass(frozen=True)
class Resampled:
    """Mean squared distances W_2² between random parts, and how they vary by chance.

    The statistic T is the mean W_2² between the sides, minus the average of the two means within
    the sides. Divided by (1 − t0)², a squared distance of pushed points becomes that of raw points.

    Attributes
    ----------
    parts, part_points : int
        The number of parts of each side, and of points in each.
    between : tuple of float
        Mean W_2² between a part of the buyer and one of the seller, at each s of the sweep.
    within_buyer : float
        Mean W_2² between two parts of the buyer's pushed points.
    within_seller : float
        Mean W_2² between two parts of the seller's raw points.
    buyer_variance : float
        The total variance of the buyer's pushed points.
    chance_deviation, chance_skewness : float
        Standard deviation and skewness of T, if both sides are samples of the population of the
        buyer's pushed points.
    chance_mean_variance : float
        In the same case, the variance of the difference between the two sides' means, in the
        direction in which it is largest.
    largest_gap : float
        The largest gap between the certified bounds of a cost, relative to the mean cost of a pair
        of points.
    """

    parts: int
    part_points: int
    between: tuple[float, ...]
    within_buyer: float
    within_seller: float
    buyer_variance: float
    chance_deviation: float
    chance_skewness: float
    chance_mean_variance: float
    largest_gap: float


@dataclass(frozen=True)
class Nearness:
    """How near a seller's points are, compared with chance.

    All distances are W_2 of raw points.

    Attributes
    ----------
    verdict : {'as-near-as-own', 'different', 'cannot-tell'}
        'different' if chance makes such a difference in at most about one in a hundred samples of
        the buyer's population. Otherwise 'as-near-as-own' if `noticeable` is at most `relevant`,
        else 'cannot-tell': there are too few rows.
    parts, part_points : int
        The number of random parts of each side, and of points in each.
    floor : float
        Root mean square distance between two parts of the buyer's own points.
    distance : float
        Root mean square distance between a part of the buyer's points and one of the seller's.
    interval : tuple of float
        The 90 % sampling interval of `distance`.
    difference : float
        Lower estimate of the distance between the two populations, in which chance cancels. It
        shows a shift in full, but not all of a difference in spread or shape.
    difference_interval : tuple of float
        The 90 % sampling interval of `difference`.
    p_value : float
        The probability of at least this difference by chance.
    noticeable : float
        The smallest difference that is noticed in four of five cases.
    relevant : float
        The smallest difference that matters: its square is 5 % of the buyer's total variance.
    """

    verdict: Verdict
    parts: int
    part_points: int
    floor: float
    distance: float
    interval: tuple[float, float]
    difference: float
    difference_interval: tuple[float, float]
    p_value: float
    noticeable: float
    relevant: float

    @property
    def multiple(self) -> float:
        """`distance` divided by `floor`. If `floor` is 0: 1 if `distance` is 0, else infinite."""
        if self.floor > 0:
            return self.distance / self.floor
        return math.inf if self.distance > 0 else 1.0


def judge(resampled: Resampled, sweep: Sequence[float], t0: float) -> Nearness:
    """Judge a seller's resampled distances at the buyer's private t0.

    Parameters
    ----------
    resampled : Resampled
    sweep : sequence of float
        The values of s of `resampled.between`.
    t0 : float

    Returns
    -------
    Nearness
    """
    weights = quadratic_weights(sweep, t0)
    # Squared distances of pushed points, divided by this, become those of raw points.
    scale = (1 - t0) ** 2
    between = max(float(weights @ np.array(resampled.between)), 0.0) / scale
    floor = resampled.within_buyer / scale
    chance = (floor + resampled.within_seller) / 2
    difference = between - chance
    law = _Chance(
        resampled.chance_deviation / scale,
        resampled.chance_skewness,
        resampled.chance_mean_variance / scale,
    )
    p_value = law.exceeds(difference)
    threshold = law.quantile(LEVEL)
    noticeable = threshold + _POWER_QUANTILE * law.deviation_around(threshold)
    relevant = RELEVANT_SHARE * resampled.buyer_variance / scale
    if p_value < LEVEL:
        verdict: Verdict = "different"
    else:
        verdict = "as-near-as-own" if noticeable <= relevant else "cannot-tell"
    error = _QUANTILE * law.deviation_around(difference)
    low, high = difference - error, difference + error
    return Nearness(
        verdict=verdict,
        parts=resampled.parts,
        part_points=resampled.part_points,
        floor=math.sqrt(floor),
        distance=math.sqrt(between),
        interval=(_root(chance + low), _root(chance + high)),
        difference=_root(difference),
        difference_interval=(_root(low), _root(high)),
        p_value=p_value,
        noticeable=_root(noticeable),
        relevant=_root(relevant),
    )


class _Chance:
    """The distribution of T (see `Resampled`) if both sides are samples of one population."""

    # It is taken as a gamma distribution, shifted to the mean 0.

    def __init__(self, deviation: float, skewness: float, mean_variance: float) -> None:
        self._deviation = deviation
        self._mean_variance = mean_variance
        self._shape = 4 / max(skewness, _NEARLY_NORMAL) ** 2

    def exceeds(self, value: float) -> float:
        """Return the probability that T is at least `value`: its p-value."""
        if self._deviation == 0:
            return 1.0 if value <= 0 else 0.0
        ratio = max(1 + value / self._deviation / math.sqrt(self._shape), 0.0)
        # The cube root of a gamma variable is nearly normal (Wilson and Hilferty 1931). This needs
        # no scipy, an optional dependency.
        z = (ratio ** (1 / 3) - 1 + 1 / (9 * self._shape)) * 3 * math.sqrt(self._shape)
        return math.erfc(z / math.sqrt(2)) / 2

    def quantile(self, level: float) -> float:
        """Return the value that T exceeds with the probability `level`."""
        z = NormalDist().inv_cdf(1 - level)
        root = 1 - 1 / (9 * self._shape) + z / (3 * math.sqrt(self._shape))
        return self._deviation * (root**3 - 1) * math.sqrt(self._shape)

    def deviation_around(self, difference: float) -> float:
        """Bound the standard deviation of T for two populations that differ only in their means.

        `difference` is the squared distance between the means.
        """
        # Let δ be the difference of the means, and ε its error by chance. T is
        # |δ + ε|² = |δ|² + |ε|² + 2 δ·ε up to a constant, and the variance of δ·ε is at most |δ|²
        # times the largest variance of ε in any direction.
        return math.sqrt(self._deviation**2 + 4 * max(difference, 0.0) * self._mean_variance)


def _root(square: float) -> float:
    return math.sqrt(max(square, 0.0))
