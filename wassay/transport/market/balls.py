"""Count the points of a seller in balls around the buyer's points, mostly in float32."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BLOCK = 2_000_000
_FEW_PRODUCTS = 2**26
"""Up to this number of products of coordinates, all is counted in float64, which takes 2 ms."""
_IN_CACHE, _MOST_ROWS = 2**16, 255
"""How many pairs are compared at a time; at most 255 rows, as they are counted in eight bits."""
_UNIT = 2.0**-24
"""The relative error of one rounding in float32."""
_ROUNDINGS = 8
"""Roundings of a value, besides those of the d products and sums of a pair; generously counted."""
_UNDERFLOW = 1e-30
"""Added to every bound, as numbers below 1e-38 are not normal in float32."""


def have_points(
    points: Floats, balls: Floats, squares: Floats, sweep: Sequence[float], fewest: int
) -> NDArray[np.bool_]:
    """Mark, for each s, the balls with at least `fewest` points.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        The seller's points at s = 0, minus the reference.
    balls : ndarray, shape (m, d)
        The buyer's points, minus the reference.
    squares : ndarray, shape (m,)
        The squared radius of the ball around each of the buyer's points.
    sweep : sequence of float
        Values of s in (0, 1).
    fewest : int
        At least 1.

    Returns
    -------
    ndarray of bool, shape (len(sweep), m)
    """
    found = np.zeros((len(sweep), len(balls)), dtype=np.bool_)
    sides = _Sides.of(points, balls, squares)
    reached = np.flatnonzero([sides.may_meet(1 - s) for s in sweep])
    shrunk = [1 - sweep[index] for index in reached.tolist()]
    if not shrunk:
        return found
    if len(points) * balls.size <= _FEW_PRODUCTS:
        found[reached] = _counts(sides, shrunk) >= fewest
        return found
    # Float32 takes half of the time. Balls that its bounds do not decide are counted in float64.
    least, largest = _bounds(sides, shrunk)
    found[reached] = least >= fewest
    (open_,) = np.nonzero(((largest >= fewest) & (least < fewest)).any(axis=0))
    if len(open_):
        found[np.ix_(reached, open_)] = _counts(sides.of_balls(open_), shrunk) >= fewest
    return found


# Let x be a seller's point and y a buyer's, both relative to the reference. At s, the seller's
# point is at u x, where u = 1 − s. Let a be the centre of all x, b that of all y, and c = u a − b.
# Then u x is in the ball of radius r around y if
#     u ‖x − a‖² + 2 ⟨x − a, c⟩ − 2 ⟨x − a, y − b⟩ ≤ (r² − ‖y − b − c‖²) / u
# Only the product ⟨x − a, y − b⟩ belongs to a pair.
@dataclass(frozen=True, eq=False)
class _Sides:
    """A seller's points x and the balls around buyer's points y, relative to two centres a and b.

    It computes the terms that decide which point is in which ball.

    Attributes
    ----------
    points, balls : ndarray, shapes (n, d) and (m, d)
        x − a of each point, and y − b of each ball.
    squares : ndarray, shape (m,)
        r² of each ball.
    centres : ndarray, shape (2, d)
        a, which is near the points x, and b, which is near the points y.
    """

    points: Floats
    balls: Floats
    squares: Floats
    centres: Floats

    @classmethod
    def of(cls, points: Floats, balls: Floats, squares: Floats) -> _Sides:
        """Choose the centres; the parameters are those of `have_points`."""
        a, b = _centre(points), _centre(balls)
        return cls(points - a, balls - b, squares, np.array([a, b]))

    def of_balls(self, chosen: NDArray[np.intp]) -> _Sides:
        """Return the same points with some of the balls."""
        return replace(self, balls=self.balls[chosen], squares=self.squares[chosen])

    @cached_property
    def _norms(self) -> tuple[Floats, Floats]:
        """‖x − a‖² of each point, and ‖y − b‖² of each ball."""
        return (self.points**2).sum(axis=1), (self.balls**2).sum(axis=1)

    @cached_property
    def _along(self) -> tuple[Floats, Floats]:
        """Products of points and of balls with a and b, shapes (n, 2) and (m, 2)."""
        return self.points @ self.centres.T, self.balls @ self.centres.T

    @property
    def extents(self) -> tuple[Floats, Floats]:
        """‖x − a‖ of each point, and ‖y − b‖ of each ball."""
        return np.sqrt(self._norms[0]), np.sqrt(self._norms[1])

    @property
    def largest(self) -> float:
        """Bound on the norms of points, balls and centres."""
        return float(np.sqrt(max(*map(np.max, self._norms), (self.centres**2).sum(axis=1).max())))

    def own(self, u: float) -> Floats:
        """Return each point's own term at u = 1 − s: u ‖x − a‖² + 2 ⟨x − a, c⟩.

        c is u a − b.
        """
        own: Floats = u * self._norms[0] + 2 * self._along[0] @ (u, -1)
        return own

    def limits(self, u: float) -> Floats:
        """Return each ball's limit at u = 1 − s: (r² − ‖y − b − c‖²) / u, where c is u a − b."""
        return (self.squares - self._apart(u)) / u

    def may_meet(self, u: float) -> bool:
        """Return whether any ball may have a point at u = 1 − s; False is certain, True is not."""
        reach = np.sqrt(self.squares) + u * np.sqrt(self._norms[0].max())
        return bool((np.sqrt(self._apart(u).clip(0)) <= reach * (1 + 1e-6)).any())

    def _apart(self, u: float) -> Floats:
        c = u * self.centres[0] - self.centres[1]
        apart: Floats = self._norms[1] - 2 * self._along[1] @ (u, -1) + c @ c
        return apart


def _centre(points: Floats) -> Floats:
    """Return the mean of the half of the points that is nearest to the reference."""
    # Any centre gives the same counts. A few distant points do not move this one.
    norms = (points**2).sum(axis=1)
    half = np.argpartition(norms, (len(points) - 1) // 2)[: (len(points) + 1) // 2]
    centre: Floats = points[half].mean(axis=0)
    return centre


def _counts(sides: _Sides, shrunk: Sequence[float]) -> NDArray[np.int64]:
    """Count the points in each ball at each u in `shrunk`, in float64.

    The shape is (len(shrunk), number of balls).
    """
    counts = np.zeros((len(shrunk), len(sides.balls)), dtype=np.int64)
    own, limits = [sides.own(u) for u in shrunk], [sides.limits(u) for u in shrunk]
    size = max(_BLOCK // len(sides.balls), 1)
    for start in range(0, len(sides.points), size):
        block = slice(start, start + size)
        products = 2 * sides.points[block] @ sides.balls.T
        for index in range(len(shrunk)):
            inside = own[index][block, None] - products <= limits[index]
            counts[index] += inside.sum(axis=0)
    return counts


def _bounds(sides: _Sides, shrunk: Sequence[float]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a least and a largest number of points in each ball, from products in float32.

    Both have the shape of `_counts`.
    """
    least, largest = np.zeros((2, len(shrunk), len(sides.balls)), dtype=np.int64)
    # Points of any unit fit into float32 once their norms are at most 1. Powers of two are exact.
    unit = 2.0 ** -np.ceil(np.log2(max(sides.largest, np.finfo(np.float64).tiny)))
    extents, norms = (unit * each for each in sides.extents)
    own = [unit * (unit * sides.own(u)) for u in shrunk]
    limits = [unit * (unit * sides.limits(u)) for u in shrunk]
    columns = (-2 * unit * sides.balls).astype(np.float32).T
    # The error of ⟨x − a, y − b⟩ is at most γ ‖x − a‖ ‖y − b‖ in whatever order its d products are
    # added; k roundings give γ = k 2⁻²⁴ / (1 − k 2⁻²⁴) (Higham, Accuracy and Stability of Numerical
    # Algorithms, 2002, section 3.1).
    roundings = _UNIT * (sides.points.shape[1] + _ROUNDINGS)
    gamma = roundings / (1 - roundings)
    rows = min(max(_IN_CACHE // len(sides.balls), 1), _MOST_ROWS)
    size = max(_BLOCK // len(sides.balls), 1)
    for start in range(0, len(sides.points), size):
        products = (unit * sides.points[start : start + size]).astype(np.float32) @ columns
        for first in range(0, len(products), rows):
            part = products[first : first + rows]
            block = slice(start + first, start + first + len(part))
            of_pairs = 2 * gamma * extents[block].max() * norms + _UNDERFLOW
            for index in range(len(shrunk)):
                values = own[index][block]
                left = part + values.astype(np.float32)[:, None]
                terms = np.abs(values).max() + np.abs(limits[index])
                errors = of_pairs + _ROUNDINGS * _UNIT * terms
                most = _below(left, limits[index] + errors)
                largest[index] += most
                if most.any():
                    least[index] += _below(left, limits[index] - errors)
    return least, largest


def _below(values: NDArray[np.float32], limits: Floats) -> NDArray[np.uint8]:
    """Count, in each column of `values`, the entries that are at most the column's limit.

    `values` may have at most `_MOST_ROWS` rows, so that a count fits into 8 bits.
    """
    within = (values <= limits.astype(np.float32)).view(np.uint8)
    counts: NDArray[np.uint8] = np.add.reduce(within, axis=0, dtype=np.uint8)
    return counts
