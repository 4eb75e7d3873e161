"""Interpolate scores of points over the sweep at the buyer's private t0."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from wassay.client.shared.sent_rows import SentRows
from wassay.models import PointScores, Result
from wassay.transport import Scores, quadratic_weights
from wassay.transport.scoring.point_scores import Method


def scores_at_push(swept: Mapping[float, PointScores], t0: float, order: int) -> Scores:
    """Interpolate scores of points over the sweep at t0, in units of W_p^p of the raw data.

    For p = 2 and a reference of one point, the result is exact; otherwise approximate.

    Parameters
    ----------
    swept : mapping of float to PointScores
        The scores of n points at each s of the sweep; at least three values of s.
    t0 : float
        The buyer's push, in (0, 1).
    order : int
        The p of W_p.

    Returns
    -------
    Scores
    """
    # For each point, fit one quadratic in s to the scores, and another to the spreads. For p = 2
    # and a reference of one point, scores are quadratic in s, and at t0 they are (1 − t0)^p times
    # those of the raw data.
    values = _interpolate(t0, {s: scored.values or [] for s, scored in swept.items()})
    spread = _interpolate(t0, {s: scored.spread or [] for s, scored in swept.items()})
    by_landmarks = any(scored.method == "landmarks" for scored in swept.values())
    method: Method = "landmarks" if by_landmarks else "exact"
    unit = (1 - t0) ** order
    # If the plan changes over the sweep, the fitted quadratic can be negative; a spread cannot.
    return Scores(values / unit, np.maximum(spread, 0.0) / unit, method)


def in_table_order(scores: PointScores, rows: SentRows | None) -> PointScores:
    """Return scores in the order of the table's rows, with the noisiest points as row numbers.

    If `rows` is None, `scores` are returned unchanged.
    """
    if rows is None:
        return scores
    points = rows.points_by_row.tolist()
    per_point = {name: getattr(scores, name) for name in ("values", "spread", "ranks")}
    ordered = {
        name: [values[point] for point in points]
        for name, values in per_point.items()
        if values is not None
    }
    noisiest = sorted(set(rows.of_points(scores.noisiest)))
    return scores.model_copy(update={**ordered, "noisiest": noisiest})


def scores_rounding(result: Result, t0: float) -> float:
    """Return a bound on the rounding error of scores at t0, in units of W_p^p of the raw data.

    Without a grand coalition, the bound is 0.
    """
    if result.grand_coalition is None:
        return 0.0
    # The fitted quadratic at t0 is a weighted sum of the scores over the sweep.
    amplification = float(np.abs(quadratic_weights(result.sweep, t0)).sum())
    return amplification * result.grand_coalition.rounding / (1 - t0) ** result.order


def _interpolate(t0: float, swept: Mapping[float, list[float]]) -> NDArray[np.float64]:
    coefficients = np.polynomial.polynomial.polyfit(list(swept), np.array(list(swept.values())), 2)
    return np.asarray(np.polynomial.polynomial.polyval(t0, coefficients), dtype=np.float64)
