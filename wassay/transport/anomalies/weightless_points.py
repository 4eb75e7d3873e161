"""Detect contributions in which many points weigh almost nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.anomalies.finding import Finding

MIN_EFFECTIVE_SHARE = 0.5
"""Contributions are reported if their effective share of points is below this."""


def weightless_points(contribution_id: str, weights: NDArray[np.float64] | None) -> Finding | None:
    """Compare the number of a seller's points with Kish's effective number, (Σ w)² / Σ w².

    Parameters
    ----------
    contribution_id : str
    weights : ndarray, shape (n,), or None
        None for equal weights.

    Returns
    -------
    Finding or None
        ``weightless-points`` if the effective number is less than half the number of points.
    """
    if weights is None:
        return None
    effective = round(float(weights.sum() ** 2 / np.square(weights).sum()))
    if effective >= MIN_EFFECTIVE_SHARE * len(weights):
        return None
    return Finding("weightless-points", contribution_id, len(weights), len(weights) - effective)
