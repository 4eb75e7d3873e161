"""Normal scores of a column with two values, such as true and false, or missing and present."""

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.uniforms import Stream
from wassay.transport.pushing.normal_quantile import normal_quantile

_SMALLEST_SHARE = 1e-3
"""Smaller shares of marked or of other rows are raised to this, so that both get scores."""


def binary_scores(
    upper: NDArray[np.bool_], share: float, stream: Stream | None
) -> NDArray[np.float64]:
    """Return normal scores, shape (n,): higher ones for the rows that `upper` marks.

    `share` is the share of marked rows among the buyer's rows; no stream means no jitter.
    """
    if share in (0.0, 1.0):
        stream = None  # all rows are equal, so they stay equal
    share = min(max(share, _SMALLEST_SHARE), 1.0 - _SMALLEST_SHARE)
    chance = np.full(len(upper), 0.5) if stream is None else stream.uniform()
    # A score is the normal quantile of a level. Marked rows get levels above 1 − `share`, and other
    # rows levels below. If `share` of the rows are marked, random levels give all scores together a
    # normal distribution.
    levels = np.where(upper, 1.0 - share + chance * share, chance * (1.0 - share))
    return normal_quantile(np.minimum(levels, 1.0 - 2.0**-53))
