"""Which points of a measure are out of the other side's distribution, by their scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked
from wassay.transport.scoring.ranking import SAME

NORMAL_MAD = 1.4826
"""The standard deviation of normal numbers, in median absolute deviations."""


def in_distribution(
    scores: ArrayLike, *, spread: ArrayLike = 0.0, cutoff: float = 3.5
) -> NDArray[np.bool_]:
    """Keep the points whose score is not far above the others'.

    Far is more than `cutoff` standard deviations above the median, where the standard deviation is
    taken from the median absolute deviation, which outliers hardly move as long as they are fewer
    than half. Low scores are never far: they mark the most valuable points. A score is known to
    within half its spread: a point is dropped only if it is far wherever the scores lie in that.

    Parameters
    ----------
    scores : array_like, shape (n,)
        `Scores.values` of one side.
    spread : array_like, shape () or (n,)
        `Scores.spread`: the width of the interval that each score lies in, not negative.
    cutoff : float
        Positive. At 3.5 about two of ten thousand normal scores would be dropped.

    Returns
    -------
    ndarray of bool, shape (n,)
        True for the points to keep.

    Raises
    ------
    TransportError
        If there is no score, one is not finite, a spread is negative, or the cutoff is not
        positive.
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
    stray = np.broadcast_to(np.asarray(spread, dtype=np.float64) / 2, values.shape)
    if not (stray >= 0).all():
        raise TransportError(f"a spread is not negative, got {2 * float(stray.min()):g}")
    stray = stray + SAME * float(np.abs(values).max())
    median = np.median(values)
    deviation = NORMAL_MAD * np.median(np.abs(values - median))
    kept: NDArray[np.bool_] = values - stray <= np.median(values + stray) + cutoff * deviation
    return kept
