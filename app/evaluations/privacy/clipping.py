"""Clip points to a ball, so that one record changes a cost by a bounded amount."""

from dataclasses import replace

import numpy as np

from wassay.transport import Measure

from ...contributions.modes.array_mode import SellerArrays


def clip_to_ball(measure: Measure, buyer: Measure, radius: float) -> Measure:
    """Clip the points of `measure` to the ball of this radius around the mean of `buyer`.

    Points outside the ball move straight to its surface. All are returned relative to that mean.
    """
    # The ball does not depend on the seller's points. If an isometry moves both measures, it moves
    # the ball, too. Between clipped points, no squared distance exceeds (2R)². So replacing a
    # record of weight w changes W₂² by at most w (2R)², the sensitivity for which noise is added.
    points = measure.points - buyer.mean
    distances = np.linalg.norm(points, axis=1, keepdims=True)
    scale = np.divide(radius, distances, out=np.ones_like(distances), where=distances > radius)
    return Measure(points * scale, measure.weights)


def clip_arrays(arrays: SellerArrays, buyer: Measure, radius: float) -> SellerArrays:
    """Clip a seller's points at every s to the ball of this radius around the mean of `buyer`.

    The points are returned relative to that mean.
    """
    clipped = {s: clip_to_ball(each, buyer, radius) for s, each in arrays.measures().items()}
    return replace(arrays, entries={s: each.points for s, each in clipped.items()})
