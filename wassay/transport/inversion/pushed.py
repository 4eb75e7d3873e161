"""Exact inversion of a pushed measure by whoever knows the reference and the push."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.inversion.nearest import nearest_point
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import project

MAX_SOLVES = 5_000


def invert_push(
    pushed: Measure, reference: Measure, t: float, *, max_solves: int = MAX_SOLVES
) -> Reconstruction:
    """Compute the records x of a buyer or a seller from η(t) = (1 − t) x + t b.

    The images b that a measure can have in the reference form a convex polytope B, one vertex or
    face for each optimal plan, and the images of x are those that maximise Σ a_i ⟨x_i, b_i⟩ over
    it. So η/t − b = ((1 − t)/t) x is normal to B at b: b is the point of B nearest to η/t, which
    is unique, and x = (η − t b)/(1 − t). The nearest point is found by projecting the
    reconstruction itself on the reference, again and again. Two projections are enough when k
    divides m and all points weigh the same, for then all vertices of B are equally far from the
    centre.

    Parameters
    ----------
    pushed : Measure, m points
        η(t), all with mass.
    reference : Measure, k points
    t : float
        In [0, 1).
    max_solves : int
        After so many projections the search ends; the residual says how far it came.

    Raises
    ------
    TransportError
        When t = 1, which leaves nothing of the records, or lies outside [0, 1); when a point has
        no mass, so that no plan constrains its image; when the measures do not live in one space.
    """
    if not 0 <= t < 1:
        raise TransportError(f"a push can be inverted for t in [0, 1), got {t}")
    if not pushed.weights.all():
        raise TransportError(
            "a point without mass has no image that a plan decides: leave out points of weight 0, "
            f"the first is point {int(np.argmin(pushed.weights))}"
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

    found = nearest_point(
        (roots * pushed.points / t).ravel(),
        (roots * images_of(pushed.points)).ravel(),
        farthest_vertex,
        max_solves,
    )
    # Where the plan is unique, its images are the point itself; else only the gap bounds the error.
    missed = min(
        float(np.linalg.norm(found.farthest_vertex - found.point)), math.sqrt(max(found.gap, 0.0))
    )
    points = records(found.point.reshape(pushed.points.shape) / roots)
    size = float(np.linalg.norm(roots * pushed.points))
    return _reconstruction(points, t * missed / size if size else 0.0, solves=found.calls + 1)


def _reconstruction(points: NDArray[np.float64], residual: float, solves: int) -> Reconstruction:
    return Reconstruction(
        points=points,
        method="projection on the reference's images",
        residual=residual,
        rank=points.shape[1],
        rest=np.zeros(len(points)),
        solves=solves,
        queries=1,
    )
