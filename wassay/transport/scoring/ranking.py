"""Sorting points by scores that rounding may have moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

SAME = 1e-9
"""Scores are certified no better than to this share of the largest; nearer ones are the same."""


def highest_first(scores: ArrayLike) -> NDArray[np.intp]:
    """Sort points by score, the highest first; those with the same score keep their order.

    Copies of one point have the same score but for rounding, which must not decide between them.

    Parameters
    ----------
    scores : array_like, shape (n,)

    Returns
    -------
    ndarray of int, shape (n,)
        Positions in `scores`.
    """
    values = np.asarray(scores, dtype=np.float64)
    grain = SAME * float(np.abs(values).max(initial=0.0)) or 1.0
    order: NDArray[np.intp] = np.argsort(-np.round(values / grain), kind="stable")
    return order
