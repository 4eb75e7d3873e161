"""Scores of points, from the sweep to the buyer's private t0."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from wassay.models import PointScores, Result
from wassay.transport import Scores, quadratic_weights
from wassay.transport.scoring.point_scores import Method


def scores_at_push(swept: Mapping[float, PointScores], t0: float, order: int) -> Scores:
    """Interpolate scores over the sweep at t0, in units of the raw data's W_p^p.

    The costs between η_μ(t0) and η_ν(s) are quadratic in s for p = 2, and so are the scores while
    the plan stays the same. At any s but t0 they also hold a term of the reference that is not the
    data's; at s = t0 that term vanishes and what is left are the scores of the raw data times
    (1 − t0)². So it is with the rates of gaining and of losing mass, and with their difference, the
    spread. With a reference of one point this is exact.

    Parameters
    ----------
    swept : mapping of float to PointScores
        For every s of the sweep, at least three, the scores of n points, not ranks alone.
    t0 : float
        In (0, 1).
    order : int
        p of W_p.
    """
    values = _at(t0, {s: scored.values or [] for s, scored in swept.items()})
    spread = _at(t0, {s: scored.spread or [] for s, scored in swept.items()})
    by_landmarks = any(scored.method == "landmarks" for scored in swept.values())
    method: Method = "landmarks" if by_landmarks else "exact"
    unit = (1 - t0) ** order
    # Between plans that differ the quadratic may dip below zero, where no spread is.
    return Scores(values / unit, np.maximum(spread, 0.0) / unit, method)


def scores_rounding(result: Result, t0: float) -> float:
    """How far float64 may have moved scores at t0, which are of costs of all sellers together."""
    if result.together is None:
        return 0.0
    amplification = float(np.abs(quadratic_weights(result.sweep, t0)).sum())
    return amplification * result.together.rounding / (1 - t0) ** result.order


def _at(t0: float, swept: Mapping[float, list[float]]) -> NDArray[np.float64]:
    coefficients = np.polynomial.polynomial.polyfit(list(swept), np.array(list(swept.values())), 2)
    return np.asarray(np.polynomial.polynomial.polyval(t0, coefficients), dtype=np.float64)
