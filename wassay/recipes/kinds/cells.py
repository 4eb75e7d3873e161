"""Two corners on a line: yes and no, there and missing."""

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.normal_quantile import normal_quantile
from wassay.recipes.uniforms import Stream

RAREST = 1e-3
"""The smallest share of either side: a side that nobody is on has a place, too."""


def two_sides(upper: NDArray[np.bool_], share: float, stream: Stream | None) -> NDArray[np.float64]:
    """Return normal scores of rows on the upper side, and of those on the other.

    `share` of the levels belong to the upper side. With jitter, each row gets a random level of its
    side, so that all together have a normal distribution; otherwise the middle of its side.
    """
    if share in (0.0, 1.0):
        stream = None  # all are on one side: there is nothing to spread
    share = min(max(share, RAREST), 1.0 - RAREST)
    chance = np.full(len(upper), 0.5) if stream is None else stream.uniform(len(upper))
    levels = np.where(upper, 1.0 - share + chance * share, chance * (1.0 - share))
    return normal_quantile(np.minimum(levels, 1.0 - 2.0**-53))
