"""Normal cone projection: invert a pushed measure exactly, given the reference and the push."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.inversion.nearest_point import nearest_point
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project

MAX_SOLVES = 5_000
"""Default limit on the number of projections on the reference."""


def invert_push(
    pushed: Measure, reference: Measure, t: float, *, max_solves: int = MAX_SOLVES
) -> Reconstruction:
    """Compute records from a pushed measure, given the reference and the push t.

    Parameters
    ----------
    pushed : Measure, m points
        The pushed measure η(t): a record x with the image b in the reference became (1 − t) x + t
        b. Every point has mass.
    reference : Measure, k points
        The reference γ.
    t : float
        In [0, 1).
    max_solves : int
        Limit on the projections of a measure on the reference. If it is reached, the result is
        inexact, and the residual tells the error.

    Returns
    -------
    Reconstruction
        The records, in the order of `pushed`.

    Raises
    ------
    TransportError
        If t is outside [0, 1), a point has no mass, or the measures differ in dimension.
    SolverMissing
        If the extra `solver` is not installed and the reference has more than one point.
    """
    if not 0 <= t < 1:
        raise TransportError(f"expected t in [0, 1), received {t}")
    if not pushed.weights.all():
        raise TransportError(
            f"expected positive weights, received 0 at point {int(np.argmin(pushed.weights))}: no "
            "plan determines the image of a point without mass, so leave such points out"
        )
    if t == 0:
        return _reconstruction(pushed.points, 0.0, solves=0)
    roots = np.sqrt(pushed.weights)[:, None]

    def records(images: NDArray[np.float64]) -> NDArray[np.float64]:
        points: NDArray[np.float64] = (pushed.points - t * images) / (1 - t)
        return points

    def images_of(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return project(Measure(points, pushed.weights), reference).images

    def farthest_vertex(flat: NDArray[np.float64]) -> NDArray[np.float64]:
        images = flat.reshape(pushed.points.shape) / roots
        return (roots * images_of(records(images))).ravel()

    # The images b that a measure can have in the reference form a convex polytope B. The images of
    # x maximise Σ a_i ⟨x_i, b_i⟩ over B, with the weights a_i. So η/t − b = ((1 − t)/t) x lies in
    # the normal cone of B at b. Hence b is the projection of η/t on B, which is unique. Two steps
    # are enough if k divides m and all weights are equal: then all vertices of B are equally far
    # from its centre.
    nearest = nearest_point(
        (roots * pushed.points / t).ravel(),
        (roots * images_of(pushed.points)).ravel(),
        farthest_vertex,
        max_solves,
    )
    # If the optimal plan is unique, the farthest vertex is the exact projection. If not, the gap
    # bounds the error.
    error = min(
        float(np.linalg.norm(nearest.farthest_vertex - nearest.point)),
        math.sqrt(max(nearest.gap, 0.0)),
    )
    points = records(nearest.point.reshape(pushed.points.shape) / roots)
    size = float(np.linalg.norm(roots * pushed.points))
    return _reconstruction(points, t * error / size if size else 0.0, solves=nearest.calls + 1)


def _reconstruction(points: NDArray[np.float64], residual: float, solves: int) -> Reconstruction:
    return Reconstruction(
        points=points,
        method="normal cone projection",
        residual=residual,
        rank=points.shape[1],
        span_distances=np.zeros(len(points)),
        solves=solves,
        queries=1,
    )
