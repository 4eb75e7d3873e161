"""Bounds on the rounding of transport costs in float64, for certified intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wassay.transport.costs.cost import Power
from wassay.transport.costs.point_cost import CANCELLATION
from wassay.transport.measure import Measure

EPSILON = float(np.finfo(np.float64).eps)
"""Machine epsilon of float64."""


OPERATIONS = 16
"""Upper estimate of the number of roundings of a coordinate or a cost."""


@dataclass(frozen=True)
class Extent:
    """Size of a measure's coordinates. Rounding errors are proportional to it.

    Attributes
    ----------
    norm : float
        Largest norm of a point.
    radius : float
        Largest distance of a point from the mean.
    dimension : int
        Dimension d of the space.
    """

    norm: float = 0.0
    radius: float = 0.0
    dimension: int = 1

    @classmethod
    def of(cls, measure: Measure) -> Extent:
        """Compute the extent of a measure.

        Parameters
        ----------
        measure : Measure

        Returns
        -------
        Extent
        """
        return cls(
            float(np.linalg.norm(measure.points, axis=1).max()),
            float(np.linalg.norm(measure.points - measure.mean, axis=1).max()),
            measure.dimension,
        )


NO_EXTENT = Extent()
"""The extent to pass for an unknown measure: bounds then follow from distances alone."""


def cost_rounding(extent: Extent, cost: float, farthest: float, p: Power) -> float:
    """Bound the rounding error of a certified W_p^p.

    Parameters
    ----------
    extent : Extent
        Extent of the columns' points, mostly the buyer's.
    cost : float
        The certified W_p^p.
    farthest : float
        Largest distance over which the plan moves mass.
    p : {1, 2}

    Returns
    -------
    float
        In units of the cost.
    """
    # Points are rounded when they are pushed and stored. If all points move by at most ε, W_p
    # changes by at most ε (triangle inequality).
    moved = OPERATIONS * EPSILON * (extent.norm + farthest)
    # No norm of the rows' points exceeds extent.norm + farthest. Costs come from a matrix product
    # of centred points, with an error relative to their squared norms. Much smaller costs (see
    # `CANCELLATION`) are computed from differences.
    centred = extent.radius + 2 * farthest
    squared = (OPERATIONS + math.sqrt(extent.dimension)) * EPSILON * centred**2
    if p == 1:
        entry = squared / (2 * math.sqrt(CANCELLATION) * centred) if centred else 0.0
        return moved + entry + OPERATIONS * EPSILON * cost
    return moved * (2 * math.sqrt(cost) + moved) + squared + OPERATIONS * EPSILON * cost
