"""Distances between random parts of a buyer's and a seller's points, compared with chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.market.part_sizes import PARTS, part_size
from wassay.transport.market.verdict import Resampled
from wassay.transport.measure import Measure
from wassay.transport.solvers.solve import solve

Floats = NDArray[np.float64]

TOLERANCE = 1e-9
"""The largest gap between the bounds of a cost, relative to the mean cost of a pair of points."""
ROUNDING = 1e-13
"""Squared distances below this share of the squared norms are taken as zero."""


def resample(
    buyer: Measure,
    seller: Mapping[float, Measure],
    seed: int,
    progress: Callable[[], None] = lambda: None,
) -> Resampled | None:
    """Solve and certify the distances between random parts of the two sides.

    The reference must have one point.

    Parameters
    ----------
    buyer : Measure
        The buyer's pushed measure η_μ(t0).
    seller : mapping of s to Measure
        The seller's pushed measures η_ν(s), with the same rows and weights at every s.
    seed : int
        Seed for drawing the parts. The probability of drawing a point is proportional to its
        weight; drawn points weigh the same.
    progress : callable
        Called after each solved problem; an exception that it raises ends the computation.

    Returns
    -------
    Resampled or None
        None if a side has too few points for parts of two points each.

    Raises
    ------
    NotCertified
        If a solution cannot be proven optimal.
    """
    random = np.random.default_rng(seed)
    sweep = sorted(seller)
    own = _drawn(buyer.weights, random)
    offered = _drawn(seller[sweep[0]].weights, random)
    size = part_size(len(own), len(offered))
    if not size:
        return None
    buyer_parts = buyer.points[own[: PARTS * size]].reshape(PARTS, size, -1)
    rows = offered[: PARTS * size]
    seller_parts = {s: seller[s].points[rows].reshape(PARTS, size, -1) for s in sweep}
    # One plan is optimal at every s, because the reference has one point.
    middle = sweep[len(sweep) // 2]
    solver = _PartSolver(progress)

    between = np.zeros(len(sweep))
    for i in range(PARTS):
        for j in range(PARTS):
            plan = solver.plan(buyer_parts[i], seller_parts[middle][j])
            between += [plan.cost(buyer_parts[i], seller_parts[s][j]) for s in sweep]
    own_costs = solver.costs(buyer_parts)
    seller_costs = solver.costs(seller_parts[middle])

    pairs = PARTS * (PARTS - 1)
    points = _centred(buyer.points[own])
    deviation, skewness, mean_variance = _moments_by_chance(points, buyer_parts, own_costs)
    return Resampled(
        parts=PARTS,
        part_points=size,
        between=tuple((between / PARTS**2).tolist()),
        within_buyer=float(own_costs.sum() / pairs),
        within_seller=float(seller_costs.sum() / pairs / (1 - middle) ** 2),
        buyer_variance=float((points**2).sum() / (len(points) - 1)),
        chance_deviation=deviation,
        chance_skewness=skewness,
        chance_mean_variance=mean_variance,
        largest_gap=solver.largest_gap,
    )


def _drawn(weights: Floats, random: np.random.Generator) -> NDArray[np.intp]:
    """Draw each row with the probability weight / largest weight; return the indices, shuffled."""
    kept = np.flatnonzero(random.random(len(weights)) * weights.max() < weights)
    return random.permutation(kept)


def _centred(points: Floats) -> Floats:
    """Subtract the mean; return zeros if all points differ only by rounding."""
    mean = points.mean(axis=0)
    centred: Floats = points - mean
    if (centred**2).sum() <= ROUNDING**2 * (points**2).sum():
        return np.zeros_like(points)
    return centred


@dataclass(frozen=True, eq=False)
class _Plan:
    """A transport plan between two parts."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    mass: Floats

    def cost(self, one: Floats, other: Floats) -> float:
        """Return the plan's cost for the points `one` and `other`: the mean squared distance."""
        moved = one[self.rows] - other[self.columns]
        return float(self.mass @ (moved**2).sum(axis=1))


class _PartSolver:
    """Solves small transport problems between parts of equal size with equal weights.

    `largest_gap` is the largest duality gap so far, relative to the mean cost of a pair of points.
    """

    def __init__(self, progress: Callable[[], None]) -> None:
        self._progress = progress
        self.largest_gap = 0.0

    def plan(self, one: Floats, other: Floats) -> _Plan:
        """Return an optimal plan between two parts."""
        from wassay.transport.solvers.dense.pot import emd  # slow to import, so only if needed

        costs = _squared_distances(one, other)
        weights = np.full(len(one), 1 / len(one))
        plan, log = emd(weights, weights, costs, 10**9, log=True, center_dual=False)
        rows, columns = np.nonzero(plan)
        found = _Plan(rows, columns, np.asarray(plan[rows, columns], dtype=np.float64))
        f = np.asarray(log["u"], dtype=np.float64)
        lower = float(weights @ f + weights @ (costs - f[:, None]).min(axis=0))
        upper = float(found.mass @ costs[rows, columns])
        gap = max(upper - lower, 0.0) / (float(costs.mean()) or 1.0)
        if gap > TOLERANCE:  # POT may be inexact where costs differ by many orders of magnitude
            solution = solve(costs, weights, weights)
            found = _Plan(solution.rows, solution.columns, solution.mass)
            gap = solution.certificate.gap / float(costs.mean())
        self.largest_gap = max(self.largest_gap, gap)
        self._progress()
        return found

    def costs(self, parts: Floats) -> Floats:
        """Return the matrix of W_2² between every two parts."""
        costs = np.zeros((len(parts), len(parts)))
        for i, one in enumerate(parts):
            for j, other in enumerate(parts[:i]):
                costs[i, j] = costs[j, i] = self.plan(one, other).cost(one, other)
        return costs


def _squared_distances(one: Floats, other: Floats) -> Floats:
    centre = one.mean(axis=0)  # rounds less if the points are far from the origin
    x, y = one - centre, other - centre
    norms = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1)
    costs: Floats = norms - 2 * x @ y.T
    costs[costs < ROUNDING * norms] = 0.0
    return costs


def _moments_by_chance(centred: Floats, parts: Floats, costs: Floats) -> tuple[float, float, float]:
    """Compute how T (see `Resampled`) varies if both sides are samples of one population.

    Parameters
    ----------
    centred : ndarray, shape (m, d)
        All the buyer's points, minus their mean.
    parts : ndarray, shape (k, size, d)
        The buyer's parts.
    costs : ndarray, shape (k, k)
        W_2² between every two of the buyer's parts.

    Returns
    -------
    deviation, skewness : float
        Standard deviation and skewness of T, whose mean is 0.
    mean_variance : float
        The variance of the difference between the two sides' means, in the direction in which it is
        largest.
    """
    size, count = parts.shape[1], len(centred)
    means = parts.mean(axis=1)
    rest = costs - ((means[:, None] - means) ** 2).sum(axis=2)
    gram = (centred @ centred.T if count < centred.shape[1] else centred.T @ centred) / (count - 1)
    trace, square = float(np.trace(gram)), float((gram * gram).sum())
    cube = float((gram @ gram * gram).sum())
    # With few points in many dimensions, the squares of the sample covariance sum to more than
    # those of the population's: correct for this.
    square = (count - 1) ** 2 / ((count - 2) * (count + 1)) * (square - trace**2 / (count - 1))
    scale = 2 / PARTS  # 1/parts for each of the two sides
    # T varies because the sides' means differ: this term, like the skewness, follows from the
    # covariance of the buyer's points. All other differences between parts add a second term. It is
    # estimated from the parts by U-centring (Székely and Rizzo 2014), so that its expectation does
    # not depend on their number.
    variance = 2 * scale**2 * (max(square, 0.0) / size**2 + _u_centred_variance(rest))
    if trace == 0 or variance <= 0:
        return 0.0, 0.0, 0.0
    skewness = 8 * scale**3 * cube / size**3 / variance**1.5
    return variance**0.5, skewness, scale * float(np.linalg.norm(gram, 2)) / size


def _u_centred_variance(squares: Floats) -> float:
    """Estimate the sum of the squared variances of points along their principal axes.

    `squares` has the squared distances between every two of n points, shape (n, n).
    """
    n = len(squares)
    rows = squares.sum(axis=1) / (n - 2)
    centred = squares - rows[:, None] - rows + squares.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(centred, 0.0)
    # A quarter of the sum of squares of the U-centred matrix, divided by n(n − 3).
    return max(float((centred**2).sum()) / (n * (n - 3)) / 4, 0.0)
