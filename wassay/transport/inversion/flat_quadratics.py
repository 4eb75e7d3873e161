"""Find quadratic functions that vary less among the rows than chance explains."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]

_FEWEST_ROWS, _ROWS_PER_TERM = 150, 4
"""Fewest rows, and fewest for each term: with fewer, some quadratic vanishes by chance."""

# Among all rows, a few outermost ones may decide which quadratic varies least.
INNER = 0.9
"""The share of rows that are searched first: those nearest to the mean."""

_TRIED = 5
# Of 536 clouds of n = 150 to 2,000 normal points in 3 to 20 dimensions, none had a quadratic with a
# share below this.
_BY_CHANCE, _BY_CHANCE_AND_ROWS = 0.93, 3.2
"""Among n rows, a quadratic counts if its `FlatQuadratic.share` is below 0.93 − 3.2/√n."""

_ROUNDING = 1e-7


@dataclass(frozen=True, eq=False)
class FlatQuadratic:
    """A quadratic function of all coordinates that varies little among the rows.

    Attributes
    ----------
    share : float
        The variance of the quadratic among the rows, divided by the least variance that chance
        gives a quadratic.
    steepest : ndarray, shape (d, 3)
        The three directions along which the quadratic changes most, the steepest last. Their
        lengths are arbitrary.
    """

    share: float
    steepest: Matrix


def flattest_quadratics(white: Matrix, count: int, rows: float) -> list[FlatQuadratic]:
    """Return the quadratics that vary least among the rows near the mean, the flattest first.

    Parameters
    ----------
    white : ndarray, shape (n, d)
        Rows with mean 0 and covariance 1, in at least three dimensions.
    count : int
        How many quadratics to return at most.
    rows : float
        The share of the rows to use: those nearest to the mean, or all rows if it is 1.

    Returns
    -------
    list of FlatQuadratic
        Empty if the rows used do not span all dimensions, or if there are too few rows: 150 are
        needed, and four for each term of a quadratic.
    """
    rank = white.shape[1]
    if len(white) < max(_FEWEST_ROWS, _ROWS_PER_TERM * rank * (rank + 3) // 2):
        return []
    norms = np.square(white).sum(axis=1)
    inner = white[norms <= np.quantile(norms, rows)]
    inner = inner - inner.mean(axis=0)
    _, extents, turned = np.linalg.svd(inner, full_matrices=False)
    if not extents[-1] > _ROUNDING * extents[0]:
        return []
    whitening = turned.T * (math.sqrt(len(inner)) / extents)
    inner = inner @ whitening
    first, second = np.triu_indices(rank, 1)
    values = np.hstack([inner, np.square(inner), inner[:, first] * inner[:, second]])
    if rows < 1:
        # The rows left have principal axes of their own. Scale each term by its own deviation,
        # because squares vary less than among all rows.
        scales = np.maximum(values.std(axis=0), _ROUNDING)
    else:
        # The principal axes of all rows are arbitrary. With the scales of normal points, a rotation
        # of the axes does not change what is found.
        scales = np.repeat([1.0, math.sqrt(2), 1.0], [rank, rank, len(first)])
    values = (values - values.mean(axis=0)) / scales
    # A quadratic is a sum of the scaled terms. The squares of its coefficients sum to 1.
    variances, quadratics = np.linalg.eigh(values.T @ values / len(values))
    least = (1 - math.sqrt(len(scales) / len(values))) ** 2
    found = []
    for variance, quadratic in zip(variances[:count], quadratics.T, strict=False):
        linear, squares, products = np.split(quadratic / scales, [rank, 2 * rank])
        form = np.diag(2 * squares)
        form[first, second] = form[second, first] = products
        # The mean square of the quadratic's slope along each direction.
        slopes = form @ form + np.outer(linear, linear)
        steepest = whitening @ np.linalg.eigh(slopes)[1][:, -3:]
        found.append(FlatQuadratic(float(variance) / least, np.asarray(steepest)))
    return found


def flat_directions(points: ArrayLike) -> Matrix:
    """Find directions near columns that a quadratic relates, such as two prices and a discount.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.

    Returns
    -------
    ndarray, shape (n, c)
        The rows' coordinates along three directions for each of at most ten quadratics. No columns
        (c = 0) if chance explains all quadratics, or if the points cannot be searched (see Notes).

    Notes
    -----
    For example, a price, the price in a sale, and a discount that some rows have: some quadratic of
    these columns varies little. The directions in which it changes most are near the columns.

    Points are searched if they span at least three dimensions and have enough rows: 150, and four
    for each term of a quadratic.
    """
    _, coordinates, variances = axes_of(points)
    if coordinates.shape[1] < 3:
        return np.empty((len(coordinates), 0))
    white = coordinates / np.sqrt(variances)
    most = _BY_CHANCE - _BY_CHANCE_AND_ROWS / math.sqrt(len(white))
    steepest = [
        each.steepest
        for rows in (INNER, 1)
        for each in flattest_quadratics(white, _TRIED, rows)
        if each.share < most
    ]
    return np.asarray(white @ np.hstack([np.empty((white.shape[1], 0)), *steepest]))
