"""Find values that look like codes for missing values, such as −999 among incomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.kinds.number import Number
from wassay.recipes.kinds.numeric import NumericFit
from wassay.recipes.limits import LARGEST

Array = NDArray[np.float64]

_FEWEST_ROWS = 3
_LEAST_SHARE = 0.01
_LEAST_USUAL = 0.003
"""The least share of rows that a usual code must have; `_least_shares` names the exceptions."""

_KNOWN = [float(digit * length) for digit in "789" for length in range(2, 9)]
"""Usual codes: numbers that surveys use for missing values, with either sign."""

_RARER = 4.0
"""A code is at least this many times as frequent among the seller's rows as among the buyer's."""

_NEIGHBOURS = 10
_STEPS = 4
"""Up to 4 codes may lie side by side, such as 97, 98 and 99. A value is compared with the 10
distinct values next to it."""

_GAP = 3.0
"""A value is isolated if the gap beside it is this many times the median of the next gaps."""

_FREQUENT, _DEVIATIONS, _SPIKE = 3.0, 2.5, 10.0
"""A value is frequent if it occurs three times as often as the values around it, or 2.5 standard
deviations more often. If it occurs ten times as often, it is a spike.
"""

_MOST_SHARE = 0.5
_MOST = 5
"""If more than 5 values, or more than half of the rows, look like codes, none counts as one."""


def missing_codes(values: Array, fit: NumericFit) -> list[float]:
    """Return the values that look like codes for missing values, most frequent first.

    Empty if more than five values, or more than half of the rows, look like codes.

    Parameters
    ----------
    values : ndarray, shape (n,)
        The seller's values, without missing ones.
    fit : NumericFit
        The buyer's quantiles.
    """
    distinct, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    shares = counts / max(1, len(values))
    outside, far = _outside(distinct, fit), fit.far(distinct)
    # A code is repeated, and much rarer among the buyer's rows.
    likely = (counts >= _FEWEST_ROWS) & (shares >= _least_shares(distinct, fit))
    likely &= shares >= _RARER * _buyer_shares(distinct, fit)
    found = [
        index
        for index in np.flatnonzero(likely).tolist()
        if (
            # The largest values of a small sample have gaps between them, so isolation alone is not
            # enough.
            outside[index]
            and (far[index] or _is_frequent(counts, index))
            and _is_isolated(distinct, index, fit.step)
        )
        or counts[index] >= _SPIKE * _mean_count_around(counts, index)
    ]
    if len(found) > _MOST or shares[found].sum() > _MOST_SHARE:
        return []
    return [float(distinct[index]) for index in sorted(found, key=lambda each: -counts[each])]


def own_codes(values: Array) -> list[float]:
    """Return the buyer's own values that look like codes for missing values, most frequent first.

    Only usual codes, such as −99, can be codes; and a negative value, if all negative values equal
    it.

    Parameters
    ----------
    values : ndarray, shape (n,)
        The buyer's values, without missing ones.
    """
    values = values[np.abs(values) <= LARGEST]
    distinct, counts = np.unique(values, return_counts=True)
    suspects = np.isin(np.abs(distinct), _KNOWN)
    suspects |= (distinct < 0) & (np.sum(distinct < 0) == 1)
    suspects &= counts >= _FEWEST_ROWS
    others = values[~np.isin(values, distinct[suspects])]
    if not suspects.any() or not len(others):
        return []
    found = missing_codes(values, Number().fit(others, "", None))
    return [code for code in found if code in distinct[suspects]]


def _least_shares(values: Array, fit: NumericFit) -> Array:
    """Return the share of rows that each value must have to count as a code, shape (n,)."""
    # With such a share of the buyer's rows, a value shows among the quantiles. Usual codes need a
    # smaller share.
    step = 1.0 / len(fit.quantiles)
    least = np.maximum(_LEAST_SHARE, np.where(_outside(values, fit), step, 2.0 * step))
    usual = np.isin(np.abs(values), _KNOWN)
    least[usual] = _LEAST_USUAL
    # Usual codes far outside of the buyer's values, and negative values if the buyer has none, need
    # no share.
    least[usual & fit.far(values)] = 0.0
    if fit.quantiles[0] >= 0:
        least[values < 0] = 0.0
    return least


def _outside(values: Array, fit: NumericFit) -> NDArray[np.bool_]:
    """Mark the values below or above all of the buyer's quantiles."""
    return np.asarray((values < fit.quantiles[0]) | (values > fit.quantiles[-1]), dtype=np.bool_)


def _buyer_shares(values: Array, fit: NumericFit) -> Array:
    """Return the share of the buyer's quantiles within half of `fit.step` of each value."""
    knots, half = np.array(fit.quantiles), 0.5 * fit.step
    within = np.searchsorted(knots, values + half, "right") - np.searchsorted(knots, values - half)
    return np.asarray(within / len(knots))


def _is_isolated(values: Array, index: int, step: float) -> bool:
    """Return whether a wide gap separates the value at `index` from the values in the middle.

    `values` are distinct and ascending; `step` is the step of the grid that they lie on.
    """
    others = values[index:] if 2 * index < len(values) else values[index::-1]
    gaps = np.abs(np.diff(others[: 1 + _STEPS + _NEIGHBOURS]))
    # Up to three other values may lie on the outer side of the gap. It is compared with the median
    # of the gaps that follow it towards the middle or, without any, with `step`.
    for place in range(min(_STEPS, len(gaps))):
        beyond = gaps[place + 1 :][:_NEIGHBOURS]
        if gaps[place] >= _GAP * (float(np.median(beyond)) if len(beyond) else step):
            return True
    return False


def _is_frequent(counts: NDArray[np.intp], index: int) -> bool:
    count, around = counts[index], _mean_count_around(counts, index)
    # The square root of a Poisson count has a standard deviation of about 1/2.
    deviations = 2.0 * (np.sqrt(count) - np.sqrt(around))
    return bool(count >= _FREQUENT * around or deviations >= _DEVIATIONS)


def _mean_count_around(counts: NDArray[np.intp], index: int) -> float:
    """Return the mean count of the values beside the one at `index`; infinity if there are none."""
    start = max(0, index - _NEIGHBOURS // 2)
    around = np.delete(counts[start : start + _NEIGHBOURS + 1], index - start)
    return float(around.mean()) if len(around) else np.inf
