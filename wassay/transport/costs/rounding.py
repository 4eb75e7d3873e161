"""How far float64 can move a cost: what whatever is called proven has to allow for."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wassay.transport.costs.cost import Power
from wassay.transport.costs.point_cost import CANCELLATION
from wassay.transport.measure import Measure

EPSILON = float(np.finfo(np.float64).eps)

OPERATIONS = 16
"""Roundings that a coordinate or a cost goes through on its way, with room to spare."""


@dataclass(frozen=True)
class Extent:
    """How large the coordinates of the buyer's measure are, which rounding is relative to.

    Attributes
    ----------
    norm : float
        Largest ‖x‖.
    radius : float
        Largest ‖x − mean‖.
    dimension : int
    """

    norm: float = 0.0
    radius: float = 0.0
    dimension: int = 1

    @classmethod
    def of(cls, measure: Measure) -> Extent:
        """Measure a measure."""
        return cls(
            float(np.linalg.norm(measure.points, axis=1).max()),
            float(np.linalg.norm(measure.points - measure.mean, axis=1).max()),
            measure.dimension,
        )


NO_EXTENT = Extent()
"""Where the buyer's measure is not known: the distances alone then say how large things are."""


def cost_rounding(extent: Extent, cost: float, farthest: float, p: Power) -> float:
    """Bound what rounding does to a certified W_p^p.

    Two errors add up. Coordinates are rounded when they are pushed and stored, relative to their
    norm; points that move by ε move W_p by no more (triangle inequality). Costs come from a
    product of centred points, which errs relative to their squared norms; where that would cancel
    beyond `CANCELLATION` they are computed by differences.

    Parameters
    ----------
    extent : Extent
        Of the buyer's points; a seller's are no farther from the origin than those plus
        `farthest`.
    cost : float
        W_p^p.
    farthest : float
        Largest distance that the plan carries mass.
    p : {1, 2}

    Returns
    -------
    float
        In units of the cost.
    """
    moved = OPERATIONS * EPSILON * (extent.norm + farthest)
    centred = extent.radius + 2 * farthest
    squared = (OPERATIONS + math.sqrt(extent.dimension)) * EPSILON * centred**2
    if p == 1:
        entry = squared / (2 * math.sqrt(CANCELLATION) * centred) if centred else 0.0
        return moved + entry + OPERATIONS * EPSILON * cost
    return moved * (2 * math.sqrt(cost) + moved) + squared + OPERATIONS * EPSILON * cost
