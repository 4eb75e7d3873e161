"""Drop the points of a measure whose scores are outliers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked
from wassay.transport.scoring.ranking import SCORE_TOLERANCE

NORMAL_MAD = 1.4826
"""Ratio of a normal distribution's standard deviation to its median absolute deviation."""


def in_distribution(
    scores: ArrayLike, *, spread: ArrayLike = 0.0, cutoff: float = 3.5
) -> NDArray[np.bool_]:
    """Mark the points to keep: those whose score is not unusually high.

    Each score stands for a range: half its spread to either side. A point is dropped if its lower
    end exceeds the median of all upper ends by more than `cutoff` standard deviations. A standard
    deviation is 1.4826 times the median absolute deviation of the scores. Low scores are always
    kept, because they mark the most valuable points.

    Parameters
    ----------
    scores : array_like, shape (n,)
        `Scores.values` of one side.
    spread : array_like, shape () or (n,)
        `Scores.spread`, the width of each score's range; >= 0.
    cutoff : float
        Positive. At 3.5 about two of ten thousand normal scores are dropped.

    Returns
    -------
    ndarray of bool, shape (n,)
        True for the points to keep.

    Raises
    ------
    TransportError
        If there are no scores, or if a score, spread or cutoff is invalid.
    """
    require_unmasked(scores, "scores")
    values = np.asarray(scores, dtype=np.float64)
    if not cutoff > 0:
        raise TransportError(f"expected a positive cutoff, such as 3.5, received {cutoff:g}")
    if not values.size:
        raise TransportError("expected at least one score, received none")
    if not np.isfinite(values).all():
        bad = np.flatnonzero(~np.isfinite(values))
        raise TransportError(
            f"expected finite scores, received {values[bad[0]]} of point {bad[0]}"
            f"{f' and {len(bad) - 1} more that are not' if len(bad) > 1 else ''}"
        )
    half_width = np.broadcast_to(np.asarray(spread, dtype=np.float64) / 2, values.shape)
    if not (half_width >= 0).all():
        raise TransportError(f"expected a spread >= 0, received {2 * float(half_width.min()):g}")
    half_width = half_width + SCORE_TOLERANCE * float(np.abs(values).max())
    median = np.median(values)
    deviation = NORMAL_MAD * np.median(np.abs(values - median))
    kept: NDArray[np.bool_] = (
        values - half_width <= np.median(values + half_width) + cutoff * deviation
    )
    return kept
