"""Detect a projection spread that a seller states too small."""

from __future__ import annotations

import math

import numpy as np

from wassay.transport.anomalies.finding import Finding
from wassay.transport.anomalies.swept_contributions import SweptMeasures, row_slices

TOLERANCE = 1e-5
"""Differences up to this, relative to the largest norm, are attributed to float32."""


def understated_spread(contribution: SweptMeasures) -> Finding | None:
    """Compare the spread that a seller states with the spread computed from the measures.

    Parameters
    ----------
    contribution : SweptMeasures

    Returns
    -------
    Finding or None
        ``understated-spread`` if the stated spread is too small. None if it is not, or is missing.
    """
    if contribution.stated_spread is None:
        return None
    # Every point moves on a straight line in s, and reaches its image at s = 1.
    low, high = min(contribution.measures), max(contribution.measures)
    first, last = contribution.measures[low], contribution.measures[high]
    centre = (1 - low) * last.mean - (1 - high) * first.mean
    variance, extent = 0.0, 0.0
    for rows in row_slices(first):
        images = (1 - low) * last.points[rows] - (1 - high) * first.points[rows] - centre
        variance += float(first.weights[rows] @ np.square(images).sum(axis=1))
        norms = [np.linalg.norm(each.points[rows], axis=1).max() for each in (first, last)]
        extent = max(extent, *map(float, norms))
    spread = math.sqrt(variance) / (high - low)
    lacking = spread - contribution.stated_spread
    # A spread that is stated too large only widens the certified interval.
    if lacking <= TOLERANCE * extent:
        return None
    return Finding(
        "understated-spread",
        contribution.contribution_id,
        examined=first.size,
        found=first.size,
        misfit=lacking / spread,
    )
