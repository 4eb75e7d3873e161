"""Find the bulk of a measure: the nine tenths of its mass that are nearest to their own mean."""

import numpy as np
from numpy.typing import NDArray

from .massive_rows import MassiveRows

BULK_MASS = 0.9
"""The share of the mass that is the bulk: the part nearest to the centre."""

BULK_ITERATIONS = 6
"""How often the bulk and its mean are computed from each other."""

ROUNDING = 1e-9

FEW = 1 / 8
"""Up to this share of the rows, only those near the edge are read again."""


def mean_of_bulk(rows: MassiveRows, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of the bulk.

    The bulk and its mean are computed in turn: each bulk is the `BULK_MASS` of the mass that is
    nearest to the mean of the previous bulk.

    If the mean moves by δ, no distance changes by more than δ. So only points whose distance from
    an earlier mean is near the bulk's edge are read again, unless there are many of them.

    Parameters
    ----------
    rows
        The points that have mass.
    weights
        Their weights; the sum is 1.
    """
    everything = np.arange(len(rows))
    anchor = rows.weighted_sum(weights) / weights.sum()
    anchored = rows.radii(anchor, everything)
    bulk = in_bulk(anchored, weights)
    total = rows.weighted_sum(np.where(bulk, weights, 0.0))
    for _ in range(BULK_ITERATIONS - 2):
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
    """Mark the points in the bulk, including all points at its edge up to rounding errors."""
    return radii <= quantiles(radii, weights, BULK_MASS) * (1 + ROUNDING)


def quantiles(
    radii: NDArray[np.float64], weights: NDArray[np.float64], levels: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    """Return quantiles of weighted radii: each radius lies at the middle of its share of mass."""
    order = np.argsort(radii)
    below = np.cumsum(weights[order]) - weights[order] / 2
    return np.asarray(np.interp(levels, below, radii[order]), dtype=np.float64)
