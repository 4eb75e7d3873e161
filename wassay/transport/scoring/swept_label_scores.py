"""Scores of labels at many s, from points that were pushed to a few s."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.scoring.discriminants import Discriminants, discriminants
from wassay.transport.scoring.label_scores import NEIGHBOURS, scores_and_predictions

STEP = 0.5
"""Near the s at which the means of both sides are nearest, the seller's points move by this much
from one s to the next, in units of their spread. Farther away, steps are larger. With these steps,
scores that are interpolated at t0 find wrong labels as well as scores of the raw points do
(decision 69)."""

MOST_TILT = 0.25
"""The largest difference between one half and the weight of the scores along discriminants."""

_LEAST_ERROR = 1e-9

_FARTHEST = 1e4
"""Larger distances of points from the reference, in units of their spread, count as this.

Rounding makes scores of points that are farther away meaningless.
"""


@dataclass(frozen=True, eq=False)
class SweptLabelScores:
    """Scores of labels at several s.

    Attributes
    ----------
    by_s : dict of float to ndarray, shape (n,)
        Scores by s, ascending.
    nearest : float
        The s at which the seller's mean is nearest to the buyer's: an estimate of t0. At t0 itself,
        the scores are those of the raw points.
    """

    by_s: dict[float, NDArray[np.float64]]
    nearest: float


def swept_label_scores(
    buyer: Measure,
    buyer_classes: ArrayLike,
    pushed: Mapping[float, Measure],
    seller_classes: ArrayLike,
    *,
    neighbours: int = NEIGHBOURS,
) -> SweptLabelScores:
    """Compute `label_scores` at many s between the smallest and the largest s of `pushed`.

    Each score is a weighted mean of two: one from all coordinates, and one from coordinates along
    `discriminants` of the buyer's classes, if there are any. The one that predicts the buyer's
    labels better weighs up to three times as much.

    Parameters
    ----------
    buyer : Measure, m points
        The buyer's pushed measure η_μ(t0).
    buyer_classes : array_like, shape (m,)
        The label of each of the buyer's points.
    pushed : mapping of float to Measure, n points
        The seller's measure η_ν(s), pushed to two or more s towards a reference of one point.
    seller_classes : array_like, shape (n,)
        The label of each of the seller's points.
    neighbours : int
        The K of `label_scores`, at least 1.

    Returns
    -------
    SweptLabelScores
        Values of s are denser where the mean of η_ν(s) is near that of η_μ(t0).

    Raises
    ------
    TransportError
        If there are fewer than two s, or the arguments do not fit together.
    """
    if len(pushed) <= 1:
        raise TransportError(f"expected points pushed to two s or more, received {len(pushed)}")
    # Points move with s on straight lines, so two s give all others. At s = t0, every distance is
    # 1 − t0 times that of the raw points, so the scores are those of the raw points.
    lines = _Lines(pushed)
    nearest = lines.nearest(buyer)
    theirs, own = np.asarray(buyer_classes), np.asarray(seller_classes)
    whole = _Part(1.0, buyer, theirs, lines, np.arange(buyer.size))
    plain = _View([whole], own, neighbours)
    views = [(1.0, plain)]
    parts = [_Part.along(each, buyer, theirs, lines) for each in discriminants(buyer, theirs)]
    # Discriminants find the few directions in which classes differ, as they do after whitening. But
    # discriminants from few points may be wrong.
    if parts:
        along = _View(parts, own, neighbours)
        share = discriminants_weight(
            plain.predictions(nearest, buyer.size),
            along.predictions(nearest, buyer.size),
            buyer.weights,
        )
        views = [(1.0 - share, plain), (share, along)]
    sweep = max((view.sweep(nearest) for _, view in views), key=len)
    by_s = {s: np.sum([weight * view.scores(s) for weight, view in views], axis=0) for s in sweep}
    return SweptLabelScores(by_s, nearest)


def discriminants_weight(
    plain: NDArray[np.float64], along: NDArray[np.float64], weights: NDArray[np.float64]
) -> float:
    """Return the weight of the scores along discriminants, from 1/4 to 3/4.

    It grows with how much better discriminants predict the buyer's labels on average. The mean
    difference is taken in units of its standard error.

    Parameters
    ----------
    plain, along : ndarray, shape (m,)
        How well each of the buyer's labels is predicted, from all coordinates and along
        discriminants; NaN if it was not predicted.
    weights : ndarray, shape (m,)
        Weights of the buyer's points.
    """
    both = ~np.isnan(plain) & ~np.isnan(along)
    if not both.any():
        return 0.5
    shares = weights[both] / weights[both].sum()
    differences = along[both] - plain[both]
    mean = float(shares @ differences)
    error = float(np.sqrt(np.square(shares) @ np.square(differences - mean)))
    if error <= abs(mean) * _LEAST_ERROR:
        return 0.5 + MOST_TILT * float(np.sign(mean))
    return 0.5 + MOST_TILT * float(np.clip(mean / error, -1.0, 1.0))


class _Lines:
    """The straight lines on which a seller's points move with s.

    They are drawn through the points at the smallest and the largest s that were pushed to.
    """

    def __init__(self, pushed: Mapping[float, Measure]) -> None:
        self._first, self._last = min(pushed), max(pushed)
        self._near, self._far = pushed[self._first], pushed[self._last]

    def along(self, directions: NDArray[np.float64]) -> _Lines:
        """Return the lines of the points multiplied by the matrix `directions`, shape (d, r)."""
        ends = {self._first: self._near, self._last: self._far}
        return _Lines({s: Measure(p.points @ directions, p.weights) for s, p in ends.items()})

    def at(self, s: float) -> Measure:
        """Return the seller's points, pushed by s."""
        share = (s - self._first) / (self._last - self._first)
        points = (1 - share) * self._near.points + share * self._far.points
        return Measure(points, self._near.weights)

    def nearest(self, buyer: Measure) -> float:
        """Return the s at which the seller's mean is nearest to the buyer's.

        It is sought between the smallest and the largest s that were pushed to.
        """
        reference = self.at(1.0).mean
        towards = self.at(0.0).mean - reference
        squared = float(towards @ towards)
        size = float((buyer.mean - reference) @ towards) / squared if squared else 0.0
        return float(np.clip(1 - size, self._first, self._last))

    def sweep(self, nearest: float) -> list[float]:
        """Return ascending values of s, denser near `nearest`.

        They include `nearest`, and the smallest and the largest s that were pushed to.
        """
        # Let r be the distance of the points from the reference, in units of their spread. From s
        # to s', they move by r·|ln(1 − s) − ln(1 − s')| times their spread: by about `STEP` next to
        # `nearest`.
        low, centre, high = -np.log1p(-np.array([self._first, nearest, self._last]))
        far = self._distance_in_spreads()
        steps = int(np.arcsinh(far * (high - low)) / STEP) + 1
        logarithms = centre + np.sinh(STEP * np.arange(-steps, steps + 1)) / far
        between = logarithms[(logarithms > low) & (logarithms < high)]
        inner = (-np.expm1(-between)).tolist()
        return sorted({self._first, nearest, *inner, self._last})

    def _distance_in_spreads(self) -> float:
        """Return the root mean square distance of the raw points from the reference.

        The unit is their root mean square distance from their own mean. The result is at most
        `_FARTHEST`.
        """
        points = self.at(0.0)
        weights, reference = points.weights, self.at(1.0).mean
        spread, distance = (
            float(weights @ np.square(points.points - centre).sum(axis=1)) ** 0.5
            for centre in (points.mean, reference)
        )
        return distance / spread if distance < _FARTHEST * spread else _FARTHEST


@dataclass(frozen=True, eq=False)
class _Part:
    """Some of the buyer's points, and all of the seller's, in the coordinates of this part.

    `buyer` is the measure of the buyer's points, `mass` their total weight, `classes` their labels,
    and `rows` their indices among all the buyer's points. `lines` gives the seller's points at each
    s.
    """

    mass: float
    buyer: Measure
    classes: NDArray[Any]
    lines: _Lines
    rows: NDArray[np.intp]

    @classmethod
    def along(
        cls, found: Discriminants, buyer: Measure, classes: NDArray[Any], lines: _Lines
    ) -> _Part:
        weights = buyer.weights[found.rows]
        mass = float(weights.sum())
        points = Measure(buyer.points[found.rows] @ found.directions, weights / mass)
        return cls(mass, points, classes[found.rows], lines.along(found.directions), found.rows)

    def score(
        self, s: float, own: NDArray[Any], neighbours: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the scores of the seller's labels at s, and how well they predict the buyer's.

        `own` are the seller's labels, and `neighbours` is the K of `label_scores`. The result is
        that of `scores_and_predictions`.
        """
        return scores_and_predictions(
            self.buyer, self.classes, self.lines.at(s), own, neighbours=neighbours
        )


@dataclass(frozen=True, eq=False)
class _View:
    """The buyer's points in one or more parts, whose coordinates may differ.

    `own` are the seller's labels, and `neighbours` is the K of `label_scores`.
    """

    parts: Sequence[_Part]
    own: NDArray[Any]
    neighbours: int

    def scores(self, s: float) -> NDArray[np.float64]:
        """Return the scores of the seller's labels at s, shape (n,).

        They are means over the parts, weighted by the parts' mass.
        """
        found = np.zeros(len(self.own))
        for part in self.parts:
            found += part.mass * part.score(s, self.own, self.neighbours)[0]
        return found

    def predictions(self, s: float, size: int) -> NDArray[np.float64]:
        """Return how well each of the buyer's `size` labels is predicted at s; NaN if it is not."""
        found = np.full(size, np.nan)
        for part in self.parts:
            found[part.rows] = part.score(s, self.own, self.neighbours)[1]
        return found

    def sweep(self, nearest: float) -> list[float]:
        """Return ascending values of s, denser near `nearest`: the longest of all parts' sweeps."""
        return max((part.lines.sweep(nearest) for part in self.parts), key=len)
