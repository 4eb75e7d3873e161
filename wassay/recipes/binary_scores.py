"""Normal scores of a coordinate with two values, such as true and false, or missing and not."""

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.normal_quantile import normal_quantile
from wassay.recipes.uniforms import Stream

RAREST = 1e-3
"""The smallest share of either side, so that a side without rows has a score too."""


def binary_scores(
    upper: NDArray[np.bool_], share: float, stream: Stream | None
) -> NDArray[np.float64]:
    """Return a normal score for each row; rows of the upper side get the higher scores.

    The upper side has the highest `share` of the levels from 0 to 1, and the lower side the rest.
    With jitter, each row gets a random level from its side's range, so that all scores together
    have a normal distribution. Without jitter, each row gets the middle level of its side.
    """
    if share in (0.0, 1.0):
        stream = None  # all are on one side: there is nothing to spread
    share = min(max(share, RAREST), 1.0 - RAREST)
    chance = np.full(len(upper), 0.5) if stream is None else stream.uniform()
    levels = np.where(upper, 1.0 - share + chance * share, chance * (1.0 - share))
    return normal_quantile(np.minimum(levels, 1.0 - 2.0**-53))
