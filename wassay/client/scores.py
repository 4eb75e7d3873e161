"""Scores of points, from the sweep to the buyer's private t0."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


def scores_at_push(
    swept: Mapping[float, list[float]], t0: float, order: int
) -> NDArray[np.float64]:
    """Interpolate scores over the sweep at t0, in units of the raw data's W_p^p.

    The costs between η_μ(t0) and η_ν(s) are quadratic in s for p = 2, and so are the scores while
    the plan stays the same. At any s but t0 they also hold a term of the reference that is not the
    data's; at s = t0 that term vanishes and what is left are the scores of the raw data times
    (1 − t0)². With a reference of one point this is exact.

    Parameters
    ----------
    swept : mapping of float to list of float
        For every s of the sweep, at least three, the scores of n points.
    t0 : float
        In (0, 1).
    order : int
        p of W_p.

    Returns
    -------
    ndarray, shape (n,)
    """
    coefficients = np.polynomial.polynomial.polyfit(list(swept), np.array(list(swept.values())), 2)
    scores = np.asarray(np.polynomial.polynomial.polyval(t0, coefficients), dtype=np.float64)
    return scores / (1 - t0) ** order
