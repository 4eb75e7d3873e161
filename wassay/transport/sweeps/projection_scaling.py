"""Estimate distances of raw points from distances of their random projections."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wassay.transport.concealing.isometry import orthonormal_factor
from wassay.transport.costs.cost import Power
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.optional_packages import require_solver

# Real sellers differ in other ways too, so a range contains fewer of their distances.
DRAWN_SHARE = 0.98
"""The share of the draws that a range contains."""

DEGREES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Degrees to which one part is changed, in standard deviations of the points."""

SPLITS, PROJECTIONS = 5, 20
"""The number of halvings, and of projections of each halving: a range is taken from 100 draws."""

FEWEST_POINTS, MOST_POINTS = 4, 50
"""The fewest and the most points of each part."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class ScaledDistance:
    """A distance of raw points, estimated from that of their projections.

    Attributes
    ----------
    value : float
        √(d/r) times the projected distance, for projections from d to r dimensions.
    interval : tuple of float or None
        The raw distances that may have led to the projected one; not certified. None if
        `ProjectionScaling` has no bands.
    """

    value: float
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class DistanceBand:
    """Distances between two data sets, of which one is changed more and more.

    Attributes
    ----------
    raw : tuple of float
        After each change: the distance between the raw points, ascending.
    low, high : tuple of float
        After each change: the range of the distances between the projected points, ascending.

    Raises
    ------
    TransportError
        If lengths differ, or numbers are not positive, not finite, or do not ascend.
    """

    raw: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def __post_init__(self) -> None:
        if not len(self.raw) == len(self.low) == len(self.high) > 0:
            raise TransportError("expected a range of projected distances for each raw distance")
        for values in (self.raw, self.low, self.high):
            ascends = all(first <= second for first, second in pairwise(values))
            if not (values[0] > 0 and ascends and values[-1] < math.inf):
                raise TransportError(
                    f"expected positive distances in ascending order, received {values}"
                )

    def raw_range(self, projected: float) -> tuple[float, float]:
        """Return the range of raw distances that may have led to a projected distance.

        Parameters
        ----------
        projected : float

        Returns
        -------
        tuple of float
            Lower and upper end.
        """
        return self._raw_at(projected, self.high), self._raw_at(projected, self.low)

    def _raw_at(self, projected: float, ends: tuple[float, ...]) -> float:
        # Between the changes, interpolated; beyond them, proportional.
        end = 0 if projected < ends[0] else -1
        if not ends[0] <= projected <= ends[-1]:
            return self.raw[end] * projected / ends[end]
        return float(np.interp(projected, ends, self.raw))


@dataclass(frozen=True)
class ProjectionScaling:
    """Estimates distances of raw points in d dimensions from those of projections to r dimensions.

    Parameters
    ----------
    dimension, reduced : int
        The dimensions d of the raw points and r < d of their projections.
    bands : tuple of DistanceBand
        One for each way in which data may differ (see `calibrate`). Without bands, estimates have
        no interval.

    Raises
    ------
    TransportError
        If r is not from 1 to d − 1.
    """

    dimension: int
    reduced: int
    bands: tuple[DistanceBand, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.reduced < self.dimension:
            raise TransportError(
                f"expected 1 to {self.dimension - 1} dimensions, received {self.reduced}"
            )

    @classmethod
    def calibrate(
        cls,
        measure: Measure,
        reduced: int,
        order: Power = 2,
        *,
        random: np.random.Generator | None = None,
    ) -> ProjectionScaling:
        """Project one's own points at random, and record how much distances shrink.

        Parameters
        ----------
        measure : Measure
            The buyer's raw points. Those without mass are left out; other weights do not matter.
        reduced : int
            The dimension r of the projections.
        order : {1, 2}
            The p of W_p.
        random : numpy.random.Generator, optional
            By default, a generator with a fixed seed.

        Returns
        -------
        ProjectionScaling
            Without bands if there are fewer than 8 points, or all coincide.

        Raises
        ------
        TransportError
            If r is not from 1 to d − 1.
        SolverMissing
            If the extra `solver` is not installed.

        Notes
        -----
        Each distance is between two random parts of the points. One part is changed more and more,
        in three ways: all its points are shifted, every second point is shifted, or noise is added.
        """
        require_solver("the interval of a distance that is scaled up")
        points = measure.points[measure.weights > 0]
        spread = math.sqrt(points.var(axis=0).sum())
        if len(points) < 2 * FEWEST_POINTS or spread == 0:
            return cls(measure.dimension, reduced)
        random = random or np.random.default_rng(0)
        size = min(len(points) // 2, MOST_POINTS)
        halves = [_halves(points, size, spread, random) for _ in range(SPLITS)]
        projections = [_projection(points.shape[1], reduced, random) for _ in range(PROJECTIONS)]
        # Bands are for as many points as the buyer has; parts have fewer.
        growth = len(points) / size
        bands = tuple(
            _band(pairs, projections, order, growth) for pairs in zip(*halves, strict=True)
        )
        return cls(measure.dimension, reduced, bands)

    @property
    def factor(self) -> float:
        """The factor √(d/r) by which projected distances are multiplied."""
        # ‖Px‖² is r/d ‖x‖² in the mean over projections P.
        return math.sqrt(self.dimension / self.reduced)

    def scaled(self, distance: float) -> ScaledDistance:
        """Estimate the distance of the raw points.

        Parameters
        ----------
        distance : float
            W_p of the projections.

        Returns
        -------
        ScaledDistance
        """
        value = self.factor * distance
        if not self.bands:
            return ScaledDistance(value, None)
        ranges = [band.raw_range(distance) for band in self.bands]
        low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
        return ScaledDistance(value, (min(max(low, distance), value), max(high, value)))


def _halves(
    points: Points, size: int, spread: float, random: np.random.Generator
) -> list[tuple[Points, list[Points]]]:
    """Draw two random parts of `size` points each, and change the second in three ways.

    Return for each way: the first part, and the second part after each change in `DEGREES`.
    Changes are in units of `spread`.
    """
    permutation = random.permutation(len(points))
    own, other = points[permutation[:size]], points[permutation[size : 2 * size]]
    noise = random.normal(size=other.shape)
    shift = np.broadcast_to(noise[0] / np.linalg.norm(noise[0]), other.shape)
    every_second = np.sqrt(2) * shift * (np.arange(size) % 2)[:, None]
    moves = (shift, every_second, noise / math.sqrt(other.shape[1]))
    return [(own, [other + degree * spread * move for degree in DEGREES]) for move in moves]


def _projection(dimension: int, reduced: int, random: np.random.Generator) -> Points:
    return orthonormal_factor(random.normal(size=(dimension, reduced)))


def _band(
    pairs: tuple[tuple[Points, list[Points]], ...],
    projections: list[Points],
    order: Power,
    growth: float,
) -> DistanceBand:
    """Compare the distance between two parts with the distance between their projections.

    Each of `pairs` has a first part, and second parts that are changed more and more. The band is
    for parts with `growth` times as many points.
    """
    raw = np.empty((len(pairs), len(DEGREES)))
    projected = np.empty((len(projections), *raw.shape))
    for row, (own, others) in enumerate(pairs):
        raw[row] = [_distance(own, other, order) for other in others]
        for place, projection in enumerate(projections):
            reduced = own @ projection
            projected[place, row] = [
                _distance(reduced, other @ projection, order) for other in others
            ]
    centre = raw.mean(axis=0)
    shares = np.quantile(
        projected / raw, [(1 - DRAWN_SHARE) / 2, (1 + DRAWN_SHARE) / 2], axis=(0, 1)
    )
    dimension, reduced = projections[0].shape
    ends = [
        _of_more_points(centre, growth, dimension),
        *(_of_more_points(centre * share, growth, reduced) for share in shares),
    ]
    return DistanceBand(*(tuple(map(float, np.maximum.accumulate(each))) for each in ends))


def _of_more_points(distances: Points, growth: float, dimension: int) -> Points:
    """Estimate the distances between samples of `growth` times the size.

    The samples have `dimension` coordinates. The first of the given `distances` is between two
    samples of one distribution.
    """
    # In r > 2 dimensions, two samples of n points from one distribution are about n^(−1/r) apart
    # (Fournier & Guillin 2015). A shift of one sample adds to the square of that distance.
    alike = distances[0] ** 2 * (1 - growth ** (-2 / max(dimension, 3)))
    return np.asarray(np.sqrt(np.maximum(distances**2 - alike, 0.0)))


def _distance(first: Points, second: Points, order: Power) -> float:
    """Return W_p of two sets of equally many points, all of the same weight."""
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    cost = cdist(first, second, "sqeuclidean" if order == 2 else "euclidean")
    return float(cost[linear_sum_assignment(cost)].mean() ** (1 / order))
