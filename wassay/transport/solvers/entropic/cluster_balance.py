"""Balance the masses of whole clusters, which Sinkhorn's iteration does only slowly.

Reference: Schmitzer and Schnörr, A hierarchical approach to optimal transport (2013).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.partition import Clusters

MAX_ITERATIONS = 1000

MAX_ERROR = 1e-3
"""The iteration ends once the errors of the clusters' masses add up to less than this."""

Reals = NDArray[np.float64]


def balance_clusters(
    clusters: Clusters,
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    row_weights: NDArray[np.float32],
    column_weights: NDArray[np.float32],
    column_sums: NDArray[np.float32],
    epsilon: np.float32,
    least_share: float,
) -> NDArray[np.float32]:
    """Shift the potentials of each cluster by a constant, in place; return the new column sums.

    Parameters
    ----------
    clusters : Clusters
        Column labels ascend.
    f, g, row_weights, column_weights : ndarray, shapes (n,) and (m,)
        Potentials and weights of the rows and columns.
    column_sums : ndarray, shape (k, m)
        Σ_i a_i exp((f_i + g_j − C_ij)/ε) over the rows i of each cluster, for each column j.
    epsilon : float
    least_share : float
        See `balancing_factors`.

    Returns
    -------
    ndarray, shape (m,)
        The column sums over all rows, after the shift. Sums below `least_share` are raised to it.
    """
    from wassay.transport.solvers.entropic.compiled_balance import (
        mass_between_clusters,
        weighted_sums,
    )

    number = clusters.number
    # The shifts solve a small entropic transport problem between the clusters. Its kernel is the
    # mass that the current plan moves between them.
    row_factors, column_factors = balancing_factors(
        mass_between_clusters(column_sums, column_weights, clusters.column_starts),
        np.bincount(clusters.row_labels, row_weights, number).astype(np.float64),
        np.bincount(clusters.column_labels, column_weights, number).astype(np.float64),
        least_share,
    )
    f += (epsilon * np.log(row_factors)[clusters.row_labels]).astype(np.float32)
    factors = column_factors[clusters.column_labels]
    g += (epsilon * np.log(factors)).astype(np.float32)
    shifted = weighted_sums(column_sums, row_factors) * factors
    return np.maximum(shifted, least_share).astype(np.float32)


def balancing_factors(
    plan: Reals, row_weights: Reals, column_weights: Reals, least_share: float
) -> tuple[Reals, Reals]:
    """Return factors that correct the marginals of a plan between clusters.

    Parameters
    ----------
    plan : ndarray, shape (k, l)
        Mass between k clusters of rows and l clusters of columns.
    row_weights, column_weights : ndarray, shapes (k,) and (l,)
        The mass that each cluster should have.
    least_share : float
        Entries of the plan below this multiple of row_weights[i]·column_weights[j] are raised to
        it.

    Returns
    -------
    ndarray, shapes (k,) and (l,)
        A positive factor for each cluster; 1 for clusters without mass.
    """
    from wassay.transport.solvers.entropic.compiled_balance import scale_to_marginals

    rows, columns = row_weights > 0, column_weights > 0
    a, b = row_weights[rows], column_weights[columns]
    kernel = np.maximum(plan[np.ix_(rows, columns)], least_share * np.outer(a, b))
    row_factors, column_factors = scale_to_marginals(kernel, a, b, MAX_ERROR, MAX_ITERATIONS)
    all_rows, all_columns = np.ones_like(row_weights), np.ones_like(column_weights)
    all_rows[rows], all_columns[columns] = row_factors, column_factors
    return all_rows, all_columns
