"""Find the bulk of a measure: the nine tenths of its mass that are nearest to their own mean."""

import numpy as np
from numpy.typing import NDArray

from .rows_with_mass import RowsWithMass

BULK_MASS = 0.9
"""The share of the mass that is the bulk: the part nearest to the centre."""

BULK_ITERATIONS = 6
"""The most times that the bulk and its mean are computed from each other."""

ROUNDING = 1e-9

FEW = 1 / 8
"""If at most this share of the rows is near the bulk's edge, only these are read again."""


def mean_of_bulk(rows: RowsWithMass, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of the bulk of a measure, found by iteration from the mean of all points.

    Parameters
    ----------
    rows
        The points that have mass.
    weights
        The weights of these points; the sum is 1.
    """
    everything = np.arange(len(rows))
    anchor = rows.weighted_sum(weights) / weights.sum()
    anchored = rows.radii(anchor, everything)
    bulk = in_bulk(anchored, weights)
    total = rows.weighted_sum(np.where(bulk, weights, 0.0))
    for _ in range(BULK_ITERATIONS - 2):
        # If the mean has moved by δ from the anchor, no point's distance has changed by more than
        # δ. So only the points near the edge of the bulk are read again, unless there are many.
        mean = total / weights[bulk].sum()
        moved = float(np.linalg.norm(mean - anchor))
        edge = quantiles(anchored, weights, BULK_MASS)
        near = np.flatnonzero(np.abs(anchored - edge) <= 3 * moved + ROUNDING * edge)
        before = bulk
        if len(near) <= FEW * len(rows):
            radii = anchored.copy()
            radii[near] = rows.radii(mean, near)
            bulk = in_bulk(radii, weights)
            if (bulk == before).all():
                break
            total = total + rows.weighted_sum(weights * (bulk.astype(int) - before))
        else:
            anchor, anchored = mean, rows.radii(mean, everything)
            bulk = in_bulk(anchored, weights)
            total = rows.weighted_sum(np.where(bulk, weights, 0.0))
    return np.asarray(total / weights[bulk].sum(), dtype=np.float64)


def in_bulk(radii: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which points are in the bulk; `radii` are the points' distances from its centre.

    The bulk includes the points on its edge, even if rounding moves them slightly outside.
    """
    return radii <= quantiles(radii, weights, BULK_MASS) * (1 + ROUNDING)


def quantiles(
    radii: NDArray[np.float64], weights: NDArray[np.float64], levels: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    """Return the quantiles of weighted radii at some levels in [0, 1], by linear interpolation.

    The sum of `weights` is 1.
    """
    order = np.argsort(radii)
    # The level of a radius is the weight of all smaller radii plus half its own weight.
    below = np.cumsum(weights[order]) - weights[order] / 2
    return np.asarray(np.interp(levels, below, radii[order]), dtype=np.float64)
