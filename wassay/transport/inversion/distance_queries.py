"""Reconstruct points from distances alone, by querying chosen buyer measures."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure


def reconstruct_from_distances(
    query: Callable[[Measure], float], size: int, dimension: int, direction: NDArray[np.float64]
) -> Reconstruction:
    """Reconstruct equally weighted points from distances to chosen buyer measures.

    For n points in d dimensions, n(d + 1) + 1 distances are asked for.

    Parameters
    ----------
    query : callable
        Takes a buyer measure; returns its W_2² from the attacked measure.
    size : int
        Number n of the points.
    dimension : int
        Dimension d of the points.
    direction : ndarray, shape (d,)
        A direction u along which the points are ordered; draw it at random.

    Returns
    -------
    Reconstruction
        The points, in descending order along u. The residual is the relative error of the points'
        mean squared norm.

    Raises
    ------
    TransportError
        If two points have the same projection on u.
    """
    # Let a buyer measure have the mass j/n at a point u, and the rest at the origin. The optimal
    # plan moves the j points farthest along u to u. From j − 1 to j, W_2² grows by (‖u‖² − 2⟨y,
    # u⟩)/n, where y is the j-th of these points. So n + 1 queries give all ⟨y, u⟩ in descending
    # order.
    mean_square = query(Measure(np.zeros((1, dimension))))

    def projections(atom: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ⟨y, atom⟩ for all points y of the attacked measure, largest first."""
        costs = [mean_square]
        for count in range(1, size + 1):
            share = count / size
            costs.append(query(Measure([atom, np.zeros(dimension)], [share, 1 - share])))
        ordered: NDArray[np.float64] = (atom @ atom - size * np.diff(costs)) / 2
        return ordered

    along = projections(direction)
    gap = float(-np.diff(along).max()) if size > 1 else 1.0
    farthest = math.sqrt(size * mean_square)
    if gap <= 1e-9 * max(farthest, 1.0):
        raise TransportError(
            f"expected a direction on which all projections differ, received one on which two "
            f"differ by {gap:g}: choose another"
        )
    # A step this small along an axis keeps the order of the points.
    step = gap / (4 * farthest) if farthest else 1.0
    coordinates = [
        (projections(direction + step * axis) - along) / step for axis in np.eye(dimension)
    ]
    points = np.stack(coordinates, axis=1)
    mean_norm = float(np.square(points).sum() / size)
    return Reconstruction(
        points=points,
        method="distance queries with pairs of atoms",
        residual=abs(mean_norm - mean_square) / mean_square if mean_square else 0.0,
        rank=dimension,
        span_distances=np.zeros(size),
        solves=0,
        queries=size * (dimension + 1) + 1,
    )
