"""Coverage: the share of the buyer's points that have points of sellers near them.

Reference: Naeem et al., Reliable fidelity and diversity metrics for generative models (2020).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import lgamma

import numpy as np
from numpy.typing import NDArray

from wassay.transport.market.balls import have_points
from wassay.transport.measure import Measure

Floats = NDArray[np.float64]

# A sample of the buyer's population with as many points as the buyer has covers 98 % of the buyer's
# points; a sample with half as many covers 82 %.
NEIGHBOURS = 10
"""The number of the buyer's other points in the ball around a point."""
FEWEST = 3
"""A buyer's point is covered if at least this many points of a seller are in its ball."""
MIN_POINTS = 20
"""The least number of points of the buyer, and of a seller."""
STEP = 0.25
"""The first step from the s where both sides' means are nearest, as a move of the sellers' mean.

It is in units of the median radius of the balls. Further steps grow.
"""
GROWTH = 0.25
MOST_STEPS = 16
"""Limit on the steps to either side of the s where the means are nearest."""
ALL_GROUPS = 5
"""With more sellers than this, only single sellers, pairs and the grand coalition are examined."""
PAIRED = 20
"""With more sellers than this, only single sellers and the grand coalition are examined."""
PAIRS = 20_000_000
"""Limit on the pairs of points to compare: a buyer's with a seller's, or two of the buyer's.

Beyond it, only a sample of the buyer's points is examined: at least `LEAST_SAMPLE`.
"""
LEAST_SAMPLE = 100
_BLOCK = 2**22
_ROUNDING = 1e-9


@dataclass(frozen=True)
class SweptCoverage:
    """Coverage by groups of sellers, at several s.

    Up to five sellers, every group is examined. With more, only single sellers, pairs and all
    sellers together are examined; above twenty sellers, no pairs.

    Attributes
    ----------
    sweep : tuple of float
        Ascending.
    examined : int
        Number of the buyer's points that were examined.
    shares : dict of tuple of str to tuple of float
        By the members of a group: the share of the examined points, by weight, that at least one
        member covers at each s.
    expected : dict of tuple of str to float
        By the members of a group: its mean coverage if every member had a random sample of the
        buyer's population.
    """

    sweep: tuple[float, ...]
    examined: int
    shares: dict[tuple[str, ...], tuple[float, ...]]
    expected: dict[tuple[str, ...], float]


def swept_coverage(
    buyer: Measure, sellers: Mapping[str, Mapping[float, Measure]], seed: int
) -> SweptCoverage | None:
    """Compute the share of the buyer's points that sellers cover, at several s.

    The reference must have one point. At s = t0, the coverage is that of the raw points.

    Parameters
    ----------
    buyer : Measure
        The buyer's pushed measure η_μ(t0).
    sellers : mapping of str to mapping of s to Measure
        By contribution id: the seller's measure η_ν(s), at two or more s. A seller's points with
        less than half of the mean weight do not count.
    seed : int
        Seed for choosing which of the buyer's points to examine, if there are many.

    Returns
    -------
    SweptCoverage or None
        Sellers with fewer than `MIN_POINTS` points that count are left out. None if no seller is
        left, or the buyer has fewer than `MIN_POINTS` points.
    """
    rays = {name: _Rays(pushed) for name, pushed in sellers.items()}
    rays = {name: each for name, each in rays.items() if len(each.points) >= MIN_POINTS}
    if buyer.size < MIN_POINTS or not rays:
        return None
    reference = next(iter(rays.values())).reference
    centred = buyer.points - reference
    total = sum(len(each.points) for each in rays.values())
    count = min(buyer.size, max(PAIRS // max(total, buyer.size), LEAST_SAMPLE))
    rows = np.sort(np.random.default_rng(seed).permutation(buyer.size)[:count])
    squares = _squared_radii(centred, rows)
    mean = sum((len(each.points) / total * each.mean for each in rays.values()), np.zeros(()))
    radius = float(np.sqrt(np.median(squares)))
    # Pushing to s = t0 multiplies the distances of both sides by 1 − t0, so it changes no coverage.
    sweep = _sweep(buyer.weights @ centred, mean, radius, next(iter(rays.values())).bounds)
    covered = {name: each.covered(centred[rows], squares, sweep) for name, each in rays.items()}
    weights = buyer.weights[rows] / buyer.weights[rows].sum()
    groups = _groups(list(rays))
    return SweptCoverage(
        tuple(sweep),
        count,
        {
            group: tuple((np.any([covered[name] for name in group], axis=0) @ weights).tolist())
            for group in groups
        },
        {
            group: expected_coverage(buyer.size, [len(rays[name].points) for name in group])
            for group in groups
        },
    )


def expected_coverage(points: int, offered: Sequence[int]) -> float:
    """Return the mean share of the buyer's points that samples of the same population cover.

    Parameters
    ----------
    points : int
        Number of the buyer's points; more than `NEIGHBOURS`.
    offered : sequence of int
        Number of points of each sample; at least `FEWEST`.

    Returns
    -------
    float
        Probability that at least one sample has `FEWEST` points or more in the ball around a point
        of the buyer.
    """
    ways = np.zeros(1)
    """ways[j]: logarithm of the number of ways in which j points, fewer than `FEWEST` of each
    sample, can be in the ball."""
    for size in offered:
        longer = np.full(len(ways) + FEWEST - 1, -np.inf)
        for near in range(FEWEST):
            part = slice(near, near + len(ways))
            longer[part] = np.logaddexp(longer[part], ways + _log_choose(size, near))
        ways = longer
    # The share u of the population that is in a point's ball has a beta distribution, whatever the
    # population is. Of n points, k are in the ball with the probability C(n, k) u^k
    # (1 − u)^(n − k).
    inside, outside, total = NEIGHBOURS, points - NEIGHBOURS, sum(offered)
    missed = sum(
        np.exp(way + _log_beta(inside + near, outside + total - near) - _log_beta(inside, outside))
        for near, way in enumerate(ways)
    )
    return float(1 - missed)


class _Rays:
    """Vectors from the reference to a seller's raw points that count (see `swept_coverage`).

    A push to s multiplies them by 1 − s.
    """

    def __init__(self, pushed: Mapping[float, Measure]) -> None:
        first, last = min(pushed), max(pushed)
        near, far = pushed[first], pushed[last]
        self.bounds = first, last
        share = (1 - first) / (last - first)
        self.reference: Floats = near.mean + share * (far.mean - near.mean)
        counted = near.weights >= near.weights.mean() / 2
        self.points: Floats = (near.points[counted] - self.reference) / (1 - first)

    @property
    def mean(self) -> Floats:
        mean: Floats = self.points.mean(axis=0)
        return mean

    def covered(self, buyer: Floats, squares: Floats, sweep: Sequence[float]) -> NDArray[np.bool_]:
        """Mark, for each s, the buyer's points that the seller covers; shape (len(sweep), m).

        `buyer` has points minus the reference, and `squares` the squared radii of their balls.
        """
        rounding = _ROUNDING * (squares + _ROUNDING * (buyer**2).sum(axis=1))
        return have_points(self.points, buyer, squares + rounding, sweep, FEWEST)


def _squared_radii(points: Floats, rows: NDArray[np.intp]) -> Floats:
    """Return, for each point in `rows`, the squared distance of its `NEIGHBOURS`-th neighbour."""
    centred = points - points.mean(axis=0)
    norms = (centred**2).sum(axis=1)
    size = max(_BLOCK // len(points), 1)
    radii = []
    for start in range(0, len(rows), size):
        block = rows[start : start + size]
        # numpy computes the product of an array and its own transpose in half of the time.
        some = centred if len(block) == len(points) else centred[block]
        costs = some @ centred.T
        costs *= -2
        costs += norms
        costs += norms[block, None]
        costs[np.arange(len(block)), block] = 0.0
        costs.partition(NEIGHBOURS, axis=1)
        radii.append(costs[:, NEIGHBOURS].copy())  # a view would keep the whole block
    squared: Floats = np.concatenate(radii).clip(min=0.0)
    return squared


def _sweep(
    buyer: Floats, seller: Floats, radius: float, bounds: tuple[float, float]
) -> list[float]:
    """Return values of s between and at `bounds`, densest where both sides' means are nearest.

    `buyer` and `seller` are the means of the buyer's pushed and the sellers' raw points, minus the
    reference. Steps are in units of `radius`, that of a typical ball.
    """
    distance = float(np.linalg.norm(seller))
    size = float(buyer @ seller) / distance**2 if distance else 0.5
    nearest = float(np.clip(1 - size, *bounds))
    low, centre, high = -np.log1p(-np.array([bounds[0], nearest, bounds[1]]))
    unit = STEP * radius / distance / (1 - nearest) if distance else 0.0
    steps = np.arange(-MOST_STEPS, MOST_STEPS + 1)
    logarithms = centre + unit * np.sinh(GROWTH * steps) / GROWTH
    between = logarithms[(logarithms > low) & (logarithms < high)]
    return sorted({bounds[0], nearest, *(-np.expm1(-between)).tolist(), bounds[1]})


def _groups(names: Sequence[str]) -> list[tuple[str, ...]]:
    count = len(names)
    largest = count if count <= ALL_GROUPS else 2 if count <= PAIRED else 1
    sizes = sorted({*range(1, largest + 1), count})
    return [group for size in sizes for group in combinations(names, size)]


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _log_beta(a: int, b: int) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
