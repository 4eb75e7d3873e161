"""Cluster sellers, or the clients of a federation, by their pairwise distances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Power
from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked
from wassay.transport.measure import Measure
from wassay.transport.optional_packages import require_solver


def pairwise_distances(measures: Sequence[Measure], p: Power = 2) -> NDArray[np.float64]:
    """Compute W_p between every two of N measures.

    If all measures were pushed to the same s towards one point, distances are 1 − s times those of
    the raw measures.

    Parameters
    ----------
    measures : sequence of Measure
        Measures of the same dimension.
    p : {1, 2}

    Returns
    -------
    ndarray, shape (N, N)
        Symmetric, zero on the diagonal.

    Raises
    ------
    TransportError
        If the measures differ in dimension.
    NotCertified
        If a solution cannot be proven optimal.
    SolverMissing
        If the extra `solver` is not installed.
    """
    from wassay.transport.solvers.wasserstein import wasserstein

    distances = np.zeros((len(measures), len(measures)))
    for i, mu in enumerate(measures):
        for j, nu in enumerate(measures[:i]):
            distances[i, j] = distances[j, i] = wasserstein(mu, nu, p).value
    return distances


def dendrogram(distances: ArrayLike) -> NDArray[np.float64]:
    """Cluster N measures by average linkage: join, again and again, the two nearest clusters.

    The distance of two clusters is the mean distance between a measure of one and one of the other.

    Parameters
    ----------
    distances : array_like, shape (N, N)
        The distances between the measures; N is at least two.

    Returns
    -------
    ndarray, shape (N − 1, 4)
        The linkage matrix of `scipy.cluster.hierarchy`, one row for each join: the two clusters,
        their distance, and the number of measures in both. `scipy.cluster.hierarchy.dendrogram`
        draws it.

    Raises
    ------
    TransportError
        If the matrix is not symmetric, finite and non-negative with a zero diagonal, or N < 2.
    SolverMissing
        If the extra `solver` is not installed.
    """
    require_solver("clustering")
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    require_unmasked(distances, "distances")
    matrix = np.asarray(distances, dtype=np.float64)
    size = len(matrix)
    if matrix.shape != (size, size) or size < 2 or not np.isfinite(matrix).all():
        raise TransportError(
            f"expected a finite (N, N) matrix of distances with N >= 2, received {matrix.shape}"
        )
    if not np.array_equal(matrix, matrix.T) or matrix.diagonal().any() or (matrix < 0).any():
        raise TransportError(
            "expected distances that are symmetric and not negative, with zeros on the diagonal"
        )
    condensed = squareform(matrix)
    joins: NDArray[np.float64] = hierarchy.linkage(condensed, method="average")
    return joins


def clusters(joins: ArrayLike, count: int) -> NDArray[np.intp]:
    """Cut a dendrogram into a number of clusters, by undoing the last joins.

    Parameters
    ----------
    joins : array_like, shape (N − 1, 4)
        The linkage matrix that `dendrogram` returns.
    count : int
        Number of clusters, 1 to N.

    Returns
    -------
    ndarray of int, shape (N,)
        The cluster of each measure, numbered from 0 in order of first appearance.

    Raises
    ------
    TransportError
        If `count` is not in 1 to N.
    SolverMissing
        If the extra `solver` is not installed.
    """
    require_solver("clustering")
    from scipy.cluster import hierarchy

    rows = np.asarray(joins, dtype=np.float64)
    if not 1 <= count <= len(rows) + 1:
        size = len(rows) + 1
        raise TransportError(f"expected 1 to {size} clusters of {size} measures, received {count}")
    labels = hierarchy.cut_tree(rows, n_clusters=count).ravel()
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank: NDArray[np.intp] = np.argsort(np.argsort(first))
    return rank[inverse]
