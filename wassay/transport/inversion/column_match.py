"""Compare the columns that an attack found with the true columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]

_CONTINUOUS = 1e-6
"""In a column without a step, a value is exact if its error is below this share of the column's
standard deviation."""

_ROUNDING = 1e-9


@dataclass(frozen=True)
class ColumnMatch:
    """Of the components that an attack found, the one that follows a true column most closely.

    Attributes
    ----------
    component : int
        Index of the component.
    correlation : float
        Absolute rank correlation (Spearman) between the column and the component, in [0, 1]. The
        component is taken before or after it is fitted to the column, whichever gives more.
    exact : float
        Share of the column's values that the fitted component gives exactly (see `match_columns`).
    """

    component: int
    correlation: float
    exact: float


def match_columns(records: ArrayLike, components: ArrayLike) -> list[ColumnMatch | None]:
    """Find, for each column of the records, the component that follows it most closely.

    Parameters
    ----------
    records : array_like, shape (n, d)
        The true records.
    components : array_like, shape (n, c)
        The columns that an attack found, in any order, sign, scale and origin.

    Returns
    -------
    list of ColumnMatch or None
        One entry for each column. None for a constant column, or if there are no components.

    Notes
    -----
    The component is scaled and shifted to fit the column best. If the column has a step, such as 1
    for whole numbers, the component is also rounded to whole steps. A value is then exact if the
    rounded one equals it.

    In a column without a step, a value is exact if its error is below a millionth of the column's
    standard deviation.
    """
    truth, found = np.asarray(records, np.float64), np.asarray(components, np.float64)
    # This helps the attacker: the true records choose the component, sign, scale and origin. Often
    # a few public facts are enough to choose them, such as the range of ages.
    correlations = np.abs(_correlations(ranks(truth), ranks(found)))
    matches: list[ColumnMatch | None] = []
    for column, values in enumerate(truth.T):
        if not found.shape[1] or not np.ptp(values) > 0:
            matches.append(None)
            continue
        best = int(correlations[column].argmax())
        rounded, exact = _fitted_component(values, found[:, best])
        fitted = float(np.abs(_correlations(ranks(values[:, None]), ranks(rounded[:, None])))[0, 0])
        # The larger of the correlations before and after fitting and rounding. Rounding errors can
        # raise it above 1.
        correlation = min(max(float(correlations[column, best]), fitted), 1.0)
        matches.append(ColumnMatch(best, float(correlation), exact))
    return matches


def step_of(values: ArrayLike, most: float = 1e7) -> float | None:
    """Return the step of values: the largest number that divides all their differences.

    Parameters
    ----------
    values : array_like, shape (n,)
    most : float
        Values with more steps than this from the lowest to the highest count as continuous.
        Rounding errors must be much smaller than the range of the values divided by ``100 * most``.

    Returns
    -------
    float or None
        None if all values are equal, or if they count as continuous.
    """
    distinct = np.unique(np.asarray(values, np.float64))
    extent = float(np.ptp(distinct))
    if extent == 0:
        return None
    rounding = extent / (100 * most)
    gaps = np.sort(np.diff(distinct))  # ascending, so that rounding errors grow least
    gaps = gaps[gaps > rounding]
    step = float(gaps[0])
    for gap in gaps:
        while gap > rounding:  # Euclid's algorithm
            step, gap = gap, abs(step - gap * round(step / gap))
        if step * most < extent:
            return None
    counts = np.round((distinct - distinct[0]) / step)
    return float(counts @ (distinct - distinct[0]) / (counts @ counts))


def _fitted_component(values: Matrix, component: Matrix) -> tuple[Matrix, float]:
    """Scale and shift a component to fit the column `values`, and round it to the column's steps.

    Return the result, and its share of exact values (see the Notes of `match_columns`).
    """
    centred, shifted = component - component.mean(), values - values.mean()
    product, step = float(centred @ shifted), step_of(values)
    if product == 0:
        return centred, 0.0
    best = centred, 0.0
    # Try the least-squares fit of the values by the component, which shrinks them towards the mean,
    # and the inverse of the fit of the component by the values, which does not.
    for slope in (product / float(centred @ centred), float(shifted @ shifted) / product):
        found = values.mean() + slope * centred
        if step is not None:
            found = values[0] + step * np.round((found - values[0]) / step)
        tolerance = _CONTINUOUS * float(values.std()) if step is None else step / 2
        exact = float(np.mean(np.abs(found - values) < tolerance))
        best = max(best, (found, exact), key=lambda each: each[1])
    return best


def ranks(matrix: Matrix) -> Matrix:
    """Return the ranks within each column; tied values share their mean rank.

    Parameters
    ----------
    matrix : ndarray, shape (n, c)

    Returns
    -------
    ndarray, shape (n, c)
    """
    ranks = np.empty_like(matrix)
    for column, values in enumerate(matrix.T):
        rounded = np.round(values / (_ROUNDING * (np.abs(values).max() or 1.0)))
        _, index, counts = np.unique(rounded, return_inverse=True, return_counts=True)
        ends = np.cumsum(counts)
        ranks[:, column] = (ends - (counts - 1) / 2)[index]
    return ranks


def _correlations(first: Matrix, second: Matrix) -> Matrix:
    """Correlate column i of `first` with column j of `second`, as entry (i, j) of the result.

    The entry is 0 if one of the two columns is constant.
    """
    return np.asarray(_standardised(first).T @ _standardised(second))


def _standardised(matrix: Matrix) -> Matrix:
    centred = matrix - matrix.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    return np.asarray(centred / np.where(lengths > 0, lengths, 1.0))
