"""Sellers with points of next to no weight, which count as points all the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.findings.finding import Finding

LEAST = 0.5
"""Of all points, what share of equal ones weighs as much at least, where weights are honest."""


def weightless_points(contribution_id: str, weights: NDArray[np.float64] | None) -> Finding | None:
    """Compare how many points are sent with how many equal ones would carry their weights.

    That is Kish's effective number, (Σw)²/Σw². Sellers weigh by their number of points unless the
    buyer says otherwise, so points of no weight make the others weigh more.
    """
    if weights is None:
        return None
    effective = round(float(weights.sum() ** 2 / np.square(weights).sum()))
    if effective >= LEAST * len(weights):
        return None
    return Finding("weightless-points", contribution_id, len(weights), len(weights) - effective)
