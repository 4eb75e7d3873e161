"""Sellers who understate σ_ν, the one number that intervals take on trust."""

from __future__ import annotations

import math

import numpy as np

from wassay.transport.findings.answers import SweptMeasures, row_slices
from wassay.transport.findings.finding import Finding

TOLERANCE = 1e-5
"""By how much σ_ν may be understated, as a share of the largest norm: rounding of float32."""


def understated_spread(answer: SweptMeasures) -> Finding | None:
    """Compare the spread that a seller states with that of η_ν(1), where s leads: the images b_ν.

    A spread that is too small makes the interval for the true distance too narrow. One that is too
    large only makes it wider.
    """
    if answer.stated_spread is None:
        return None
    low, high = min(answer.measures), max(answer.measures)
    first, last = answer.measures[low], answer.measures[high]
    centre = (1 - low) * last.mean - (1 - high) * first.mean
    variance, extent = 0.0, 0.0
    for rows in row_slices(first):
        images = (1 - low) * last.points[rows] - (1 - high) * first.points[rows] - centre
        variance += float(first.weights[rows] @ np.square(images).sum(axis=1))
        norms = [np.linalg.norm(each.points[rows], axis=1).max() for each in (first, last)]
        extent = max(extent, *map(float, norms))
    spread = math.sqrt(variance) / (high - low)
    lacking = spread - answer.stated_spread
    if lacking <= TOLERANCE * extent:
        return None
    return Finding(
        "understated-spread",
        answer.contribution_id,
        examined=first.size,
        found=first.size,
        misfit=lacking / spread,
    )
