"""Compiled loops of `cluster_balance`: sums over clusters, and Sinkhorn's iteration on these."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled_in_any_order

Reals = NDArray[np.float64]


@compiled_in_any_order
def mass_between_clusters(
    column_sums: NDArray[np.float32],
    column_weights: NDArray[np.float32],
    starts: NDArray[np.intp],
) -> Reals:
    """Return the mass that a plan moves from each cluster's rows to each cluster's columns.

    Parameters
    ----------
    column_sums : ndarray, shape (k, m)
        Row l has the column sums of `sinkhorn_pass` over the rows of cluster l.
    column_weights : ndarray, shape (m,)
        Weights of the columns' points in their measure.
    starts : ndarray of int, shape (k + 1,)
        First column of each cluster; the last entry is the number of columns.

    Returns
    -------
    ndarray, shape (k, k)
        Entry (l, q) sums column_sums[l, j]·column_weights[j] over the columns j of cluster q.
    """
    number = len(column_sums)
    mass = np.zeros((number, number))
    for cluster in range(number):
        for other in range(number):
            total = 0.0
            for column in range(starts[other], starts[other + 1]):
                total += column_sums[cluster, column] * column_weights[column]
            mass[cluster, other] = total
    return mass


@compiled_in_any_order
def weighted_sums(column_sums: NDArray[np.float32], row_factors: Reals) -> NDArray[np.float32]:
    """Return Σ_l row_factors[l]·column_sums[l, j] for each column j.

    Parameters
    ----------
    column_sums : ndarray, shape (k, m)
    row_factors : ndarray, shape (k,)

    Returns
    -------
    ndarray, shape (m,)
    """
    sums = np.zeros(column_sums.shape[1], np.float32)
    for cluster in range(len(column_sums)):
        factor = np.float32(row_factors[cluster])
        for column in range(len(sums)):
            sums[column] += factor * column_sums[cluster, column]
    return sums


@compiled_in_any_order
def scale_to_marginals(
    kernel: Reals, a: Reals, b: Reals, max_error: float, most: int
) -> tuple[Reals, Reals]:
    """Scale a positive matrix to row sums near a and column sums near b, by Sinkhorn's iteration.

    Parameters
    ----------
    kernel : ndarray, shape (k, l)
    a, b : ndarray, shapes (k,) and (l,)
        Positive.
    max_error : float
        The iteration ends once the errors of the column sums add up to less than this.
    most : int
        Limit on the number of iterations, at least 1.

    Returns
    -------
    ndarray, shapes (k,) and (l,)
        Factors by which to multiply the rows and the columns.
    """
    row_factors, column_factors = np.ones_like(a), np.ones_like(b)
    sums = np.empty_like(b)
    for _ in range(most):
        sums[:] = 0
        for row in range(len(a)):
            total = 0.0
            for column in range(len(b)):
                total += kernel[row, column] * column_factors[column]
            row_factors[row] = a[row] / total
            for column in range(len(b)):
                sums[column] += row_factors[row] * kernel[row, column]
        error = 0.0
        for column in range(len(b)):
            error += abs(column_factors[column] * sums[column] - b[column])
        if error < max_error:
            break
        for column in range(len(b)):
            column_factors[column] = b[column] / sums[column]
    return row_factors, column_factors
