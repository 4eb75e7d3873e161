"""Extrapolate two pushes of the same records to the records, without the reference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project

_COINCIDE = 1e-9
"""Images closer than this share of the pushed points' extent are one point."""


def extrapolate(first: Measure, second: Measure, s1: float, s2: float) -> Reconstruction:
    """Compute records from two pushes of them by different shares s1 and s2.

    Parameters
    ----------
    first, second : Measure, n points each
        The pushes η(s1) and η(s2), or both moved by the same isometry. Rows with mass may be in
        different orders in both; rows without mass must be at the same indices.
    s1, s2 : float
        Different, in (0, 1).

    Returns
    -------
    Reconstruction
        The records, in the order of `first`; moved by the isometry if there is one.

    Raises
    ------
    TransportError
        If s1 and s2 are not two different values in (0, 1), or the measures differ in size or
        dimension.
    SolverMissing
        If rows have to be matched and the extra `solver` is not installed.

    Notes
    -----
    The residual is the share of cost that an optimal plan saves over moving each record to its own
    image. An optimal plan moves the true records to their own images, so the residual is 0 for
    these.
    """
    if s1 == s2 or not (0 < s1 < 1 and 0 < s2 < 1):
        raise TransportError(f"expected two different s in (0, 1), received {s1} and {s2}")
    if first.size != second.size:
        raise TransportError(
            f"expected two pushes of as many points each, received {first.size} and {second.size}"
        )
    if first.dimension != second.dimension:
        raise TransportError(
            f"expected two pushes of the same records, received {first.dimension} and "
            f"{second.dimension} coordinates"
        )
    # If the reference is one point and the orders are equal, all images coincide.
    points, merged = _extrapolated(first, second.points, s1, s2)
    if merged.size == 1:
        return _reconstruction(points, residual=0.0, solves=0)
    from wassay.transport.solvers.solve import solve

    # Records and their images are paired by an optimal plan. So an optimal plan between both pushes
    # pairs the two rows of each record.
    partners = np.where(first.weights[:, None] > 0, project(first, second).images, second.points)
    points, merged = _extrapolated(first, partners, s1, s2)
    images = (first.points - (1 - s1) * points) / s1
    records = Measure(points, first.weights)
    paired = float(first.weights @ np.square(points - images).sum(axis=1))
    optimal = solve(PointCost(records, merged), records.weights, merged.weights).cost
    residual = max(paired - optimal, 0.0) / paired if paired else 0.0
    return _reconstruction(points, residual, solves=2)


def _extrapolated(
    first: Measure, partners: NDArray[np.float64], s1: float, s2: float
) -> tuple[NDArray[np.float64], Measure]:
    """Extrapolate matched rows to s = 0; return the records, and their images without duplicates.

    `first` has the rows as pushed by `s1`, and `partners` the same rows as pushed by `s2`.
    """
    points = (s2 * first.points - s1 * partners) / (s2 - s1)
    images = (first.points - (1 - s1) * points) / s1
    extent = float(np.ptp(first.points, axis=0).max())
    return points, _merge_images(Measure(images, first.weights), extent)


def _reconstruction(points: NDArray[np.float64], residual: float, solves: int) -> Reconstruction:
    return Reconstruction(
        points=points,
        method="extrapolation of two pushes",
        residual=residual,
        rank=points.shape[1],
        span_distances=np.zeros(len(points)),
        solves=solves,
        queries=1,
    )


def _merge_images(images: Measure, extent: float) -> Measure:
    """Merge images that are equal up to rounding, and add their weights.

    `extent` is the largest range of a coordinate of the pushed points.
    """
    grid = np.round((images.points - images.mean) / (_COINCIDE * extent or 1.0))
    _, index = np.unique(grid, axis=0, return_inverse=True)
    weights = np.bincount(index, images.weights)
    points = np.zeros((len(weights), images.dimension))
    points[index] = images.points
    return Measure(points, weights)
