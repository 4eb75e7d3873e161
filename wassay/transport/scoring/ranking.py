"""Ranking of points by scores that carry rounding errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

SCORE_TOLERANCE = 1e-9
"""Scores closer than this share of the largest count as equal."""


def highest_first(scores: ArrayLike) -> NDArray[np.intp]:
    """Sort points by score, the highest first; scores equal up to rounding keep their order.

    Parameters
    ----------
    scores : array_like, shape (n,)
        `Scores.values` of one side.

    Returns
    -------
    ndarray of int, shape (n,)
        Indices into `scores`.
    """
    values = np.asarray(scores, dtype=np.float64)
    grain = SCORE_TOLERANCE * float(np.abs(values).max(initial=0.0)) or 1.0
    permutation: NDArray[np.intp] = np.argsort(-np.round(values / grain), kind="stable")
    return permutation
