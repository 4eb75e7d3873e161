"""Which points of a measure are out of the other side's distribution, by their scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked

NORMAL_MAD = 1.4826
"""The standard deviation of normal numbers, in median absolute deviations."""


def in_distribution(scores: ArrayLike, *, cutoff: float = 3.5) -> NDArray[np.bool_]:
    """Keep the points whose score is not far above the others'.

    Far is more than `cutoff` standard deviations above the median, where the standard deviation is
    taken from the median absolute deviation, which outliers hardly move as long as they are fewer
    than half. Low scores are never far: they mark the most valuable points.

    Parameters
    ----------
    scores : array_like, shape (n,)
        `Scores.values` of one side.
    cutoff : float
        Positive. At 3.5 about two of ten thousand normal scores would be dropped.

    Returns
    -------
    ndarray of bool, shape (n,)
        True for the points to keep.

    Raises
    ------
    TransportError
        When there is no score, one is not finite, or the cutoff is not positive.
    """
    require_unmasked(scores, "scores")
    values = np.asarray(scores, dtype=np.float64)
    if not cutoff > 0:
        raise TransportError(f"the cutoff of a filter is positive, 3.5, say; got {cutoff:g}")
    if not values.size:
        raise TransportError("a filter needs at least one score, got none")
    if not np.isfinite(values).all():
        bad = np.flatnonzero(~np.isfinite(values))
        raise TransportError(
            f"a filter needs finite scores, got {values[bad[0]]} of point {bad[0]}"
            f"{f' and {len(bad) - 1} more that are not' if len(bad) > 1 else ''}"
        )
    median = np.median(values)
    deviation = NORMAL_MAD * np.median(np.abs(values - median))
    kept: NDArray[np.bool_] = values <= median + cutoff * deviation
    return kept
