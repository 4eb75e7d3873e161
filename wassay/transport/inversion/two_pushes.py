"""Two pushes of the same records undo each other, without the reference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project

_ONE_PLACE = 1e-9
"""Images closer than this share of the records' extent are one."""


def extrapolate(first: Measure, second: Measure, s1: float, s2: float) -> Reconstruction:
    """Compute the records from η(s1) and η(s2), whose rows may come in any order.

    Where the rows come in one order and the reference is one point, all images meet there, and
    nothing is left to solve. Else, records and images are paired monotonically, and so are two
    pushes of them: sending every row of the first to its own row of the second is optimal. An
    optimal plan therefore finds the partners, and y = (s2 η(s1) − s1 η(s2))/(s2 − s1). Rows without
    mass are taken to be in order.

    Parameters
    ----------
    first, second : Measure, n points each
        η(s1) and η(s2), up to one isometry applied to both.
    s1, s2 : float
        Different, in (0, 1).

    Returns
    -------
    Reconstruction
        In the order of the first, up to that isometry. The residual is the relative gap to
        optimality of the plan that sends every record to its image, as true records and images
        have none.

    Raises
    ------
    TransportError
        When s1 = s2, or the two measures have different sizes or live in different spaces.
    SolverMissing
        If rows have to be paired and the extra `solver` is not installed.
    """
    if s1 == s2 or not (0 < s1 < 1 and 0 < s2 < 1):
        raise TransportError(
            f"two pushes are undone from two different s in (0, 1), got {s1} and {s2}"
        )
    if first.size != second.size:
        raise TransportError(
            f"two pushes of the same records have as many points each, got {first.size} and "
            f"{second.size}"
        )
    if first.dimension != second.dimension:
        raise TransportError(
            f"two pushes of the same records live in one space, got {first.dimension} and "
            f"{second.dimension} coordinates"
        )
    points, places = _undone(first, second.points, s1, s2)
    if places.size == 1:
        return _reconstruction(points, residual=0.0, solves=0)
    from wassay.transport.solvers.exact import solve

    partners = np.where(first.weights[:, None] > 0, project(first, second).images, second.points)
    points, places = _undone(first, partners, s1, s2)
    images = (first.points - (1 - s1) * points) / s1
    records = Measure(points, first.weights)
    paired = float(first.weights @ np.square(points - images).sum(axis=1))
    optimal = solve(PointCost(records, places), records.weights, places.weights).cost
    residual = max(paired - optimal, 0.0) / paired if paired else 0.0
    return _reconstruction(points, residual, solves=2)


def _undone(
    first: Measure, partners: NDArray[np.float64], s1: float, s2: float
) -> tuple[NDArray[np.float64], Measure]:
    """The records of two pushes row by row, and the places of their images."""
    points = (s2 * first.points - s1 * partners) / (s2 - s1)
    images = (first.points - (1 - s1) * points) / s1
    extent = float(np.ptp(first.points, axis=0).max())
    return points, _places(Measure(images, first.weights), extent)


def _reconstruction(points: NDArray[np.float64], residual: float, solves: int) -> Reconstruction:
    return Reconstruction(
        points=points,
        method="two pushes extrapolated to none",
        residual=residual,
        rank=points.shape[1],
        rest=np.zeros(len(points)),
        solves=solves,
        queries=1,
    )


def _places(images: Measure, extent: float) -> Measure:
    """The same measure with one point for each place: many records share an image, and rounding."""
    grid = np.round((images.points - images.mean) / (_ONE_PLACE * extent or 1.0))
    _, place = np.unique(grid, axis=0, return_inverse=True)
    weights = np.bincount(place, images.weights)
    points = np.zeros((len(weights), images.dimension))
    points[place] = images.points
    return Measure(points, weights)
