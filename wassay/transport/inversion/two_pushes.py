"""Two pushes of the same records undo each other, without the reference."""

from __future__ import annotations

import numpy as np

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project
from wassay.transport.solvers.exact import solve

_ONE_PLACE = 1e-9
"""Images closer than this share of the records' extent are one."""


def extrapolate(first: Measure, second: Measure, s1: float, s2: float) -> Reconstruction:
    """Compute the records from η(s1) and η(s2), whose rows may come in any order.

    Records and images are paired monotonically, and so are two pushes of them: sending every row
    of the first to its own row of the second is optimal. An optimal plan therefore finds the
    partners, and y = (s2 η(s1) − s1 η(s2))/(s2 − s1). Rows without mass are taken to be in order.

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
    partners = np.where(first.weights[:, None] > 0, project(first, second).images, second.points)
    points = (s2 * first.points - s1 * partners) / (s2 - s1)
    images = (first.points - (1 - s1) * points) / s1
    records = Measure(points, first.weights)
    places = _places(Measure(images, first.weights), float(np.ptp(first.points, axis=0).max()))
    paired = float(first.weights @ np.square(points - images).sum(axis=1))
    optimal = solve(PointCost(records, places), records.weights, places.weights).cost
    return Reconstruction(
        points=points,
        method="two pushes extrapolated to none",
        residual=max(paired - optimal, 0.0) / paired if paired else 0.0,
        rank=first.dimension,
        rest=np.zeros(first.size),
        solves=2,
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
