"""Count the points of a seller in balls around the buyer's points, mostly in float32.

At s, a seller's point x and a buyer's point y, both relative to the reference, have the squared
distance u² ‖x‖² − 2 u ⟨x, y⟩ + ‖y‖², where u = 1 − s. All products ⟨x, y⟩ are computed in float32,
which takes half of the time. Their error bound gives each ball a least and a largest number of
points. If these do not decide, the ball's points are counted in float64.
"""

from __future__ import annotations

from collections.abc import Sequence

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
"""Roundings of a value, besides those of the d products and sums of ⟨x, y⟩; generously counted."""
_UNDERFLOW = 1e-30
"""Added to every bound, as numbers below 1e-38 are not normal in float32."""


def have_points(
    points: Floats, centres: Floats, limits: Floats, sweep: Sequence[float], fewest: int
) -> NDArray[np.bool_]:
    """Mark, for each s, the balls with at least `fewest` points.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        The seller's points at s = 0, minus the reference.
    centres : ndarray, shape (m, d)
        The buyer's points y, minus the reference.
    limits : ndarray, shape (m,)
        For each y: the squared radius of the ball around it, minus ‖y‖².
    sweep : sequence of float
        Values of s in (0, 1).
    fewest : int

    Returns
    -------
    ndarray of bool, shape (len(sweep), m)
    """
    if len(points) * centres.size <= _FEW_PRODUCTS:
        return _counts(points, centres, limits, sweep) >= fewest
    least, largest = _bounds(points, centres, limits, sweep)
    found: NDArray[np.bool_] = least >= fewest
    (open_,) = np.nonzero(((largest >= fewest) & ~found).any(axis=0))
    if len(open_):
        found[:, open_] = _counts(points, centres[open_], limits[open_], sweep) >= fewest
    return found


def _counts(
    points: Floats, centres: Floats, limits: Floats, sweep: Sequence[float]
) -> NDArray[np.int64]:
    """Count the points in each ball at each s, in float64."""
    counts = np.zeros((len(sweep), len(centres)), dtype=np.int64)
    size = max(_BLOCK // len(centres), 1)
    for start in range(0, len(points), size):
        block = points[start : start + size]
        products, own = 2 * block @ centres.T, (block**2).sum(axis=1)[:, None]
        for index, s in enumerate(sweep):
            counts[index] += ((1 - s) * ((1 - s) * own - products) <= limits).sum(axis=0)
    return counts


def _bounds(
    points: Floats, centres: Floats, limits: Floats, sweep: Sequence[float]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Bound the number of points in each ball at each s, from products in float32."""
    least, largest = np.zeros((2, len(sweep), len(centres)), dtype=np.int64)
    norms, own = np.linalg.norm(centres, axis=1), np.linalg.norm(points, axis=1)
    # Points of any unit fit into float32 once their norms are at most 1. Powers of two are exact.
    unit = 2.0 ** -np.ceil(np.log2(max(norms.max(), own.max(), np.finfo(np.float64).tiny)))
    norms, own, scaled_limits = unit * norms, unit * own, unit * (unit * limits)
    columns = (-2 * unit * centres).astype(np.float32).T
    # A point is in the ball if u ‖x‖² − 2 ⟨x, y⟩ ≤ limit / u. The error of ⟨x, y⟩ is at most γ ‖x‖
    # ‖y‖ in whatever order its d products are added; k roundings give γ = k 2⁻²⁴ / (1 − k 2⁻²⁴)
    # (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1).
    roundings = _UNIT * (points.shape[1] + _ROUNDINGS)
    gamma = roundings / (1 - roundings)
    rows = min(max(_IN_CACHE // len(centres), 1), _MOST_ROWS)
    size = max(_BLOCK // len(centres), 1)
    for start in range(0, len(points), size):
        products = (unit * points[start : start + size]).astype(np.float32) @ columns
        for first in range(0, len(products), rows):
            part = products[first : first + rows]
            radii = own[start + first : start + first + len(part)]
            for index, s in enumerate(sweep):
                u, farthest = 1 - s, radii.max()
                apart = part + (u * radii**2).astype(np.float32)[:, None]
                edges = scaled_limits / u
                errors = 2 * gamma * farthest * norms + _UNDERFLOW
                errors += _ROUNDINGS * _UNIT * (u * farthest**2 + np.abs(edges))
                least[index] += _below(apart, edges - errors)
                largest[index] += _below(apart, edges + errors)
    return least, largest


def _below(values: NDArray[np.float32], limits: Floats) -> NDArray[np.uint8]:
    """Count the values in each column that are at most the column's limit.

    At most `_MOST_ROWS` rows, so that a count fits into 8 bits.
    """
    within = (values <= limits.astype(np.float32)).view(np.uint8)
    counts: NDArray[np.uint8] = np.add.reduce(within, axis=0, dtype=np.uint8)
    return counts
