"""Principal component analysis: find the principal axes that points determine."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.measure import Measure

Matrix = NDArray[np.float64]

_ROUNDING = 1e-12
"""Axes with an extent below this share of the longest are rounding errors."""

_LARGEST_SQUARED_SINE = 0.02
"""Largest expected squared sine of the angle between a principal axis and the population's axis.

Two axes with equal variances pass this limit by chance in one of 500 samples.
"""


def principal_components(points: ArrayLike) -> Matrix:
    """Return the coordinates of points along the principal axes that the points determine.

    Axes with nearly equal variances are arbitrary, and are left out.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown similarity.

    Returns
    -------
    ndarray, shape (n, c)
        Components with any sign and origin, the largest variance first.
    """
    _, coordinates, variances = axes_of(points)
    return np.asarray(
        coordinates[:, expected_squared_sines(variances, len(coordinates)) <= _LARGEST_SQUARED_SINE]
    )


def expected_squared_sines(variances: Matrix, rows: int) -> Matrix:
    """Return how far principal axes of a sample probably are from those of its population.

    Parameters
    ----------
    variances : ndarray, shape (r,)
        Variances along the sample's axes.
    rows : int
        Number of points in the sample.

    Returns
    -------
    ndarray, shape (r,)
        For each axis: the expected squared sine of its angle with the population's axis.
    """
    # For n normal points with the variances λ, the squared sine of the j-th angle is Σ_(k ≠ j) λ_j
    # λ_k / (n (λ_j − λ_k)²) on average (Anderson 1963).
    gaps = variances[:, None] - variances
    np.fill_diagonal(gaps, np.inf)
    with np.errstate(divide="ignore"):
        squared_sines = (variances[:, None] * variances / np.square(gaps)).sum(axis=1) / rows
    return np.asarray(squared_sines)


def axes_of(points: ArrayLike) -> tuple[Matrix, Matrix, Matrix]:
    """Return the principal axes that points extend along, their coordinates, and the variances.

    Parameters
    ----------
    points : array_like, shape (n, d)

    Returns
    -------
    axes : ndarray, shape (r, d)
        Orthonormal axes; r is the dimension of the affine space that the points span.
    coordinates : ndarray, shape (n, r)
        Coordinates along the axes, with mean zero.
    variances : ndarray, shape (r,)
        Variances along the axes, descending.
    """
    rows = Measure(points).points
    centred = rows - rows.mean(axis=0)
    left, extents, axes = np.linalg.svd(centred, full_matrices=False)
    spanned = extents > _ROUNDING * max(float(extents[0]), float(np.abs(rows).max()))
    coordinates = left[:, spanned] * extents[spanned]
    return axes[spanned], coordinates, np.square(extents[spanned]) / len(rows)
