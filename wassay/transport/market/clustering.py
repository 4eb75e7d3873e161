"""Sellers, or clients, by their distances from each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Power
from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked
from wassay.transport.measure import Measure
from wassay.transport.solver import require_solver


def pairwise_distances(measures: Sequence[Measure], p: Power = 2) -> NDArray[np.float64]:
    """W_p between any two of N measures.

    Measures that were all pushed to one s towards one reference point, and then sealed by one
    isometry, are 1 − s times as far apart as the raw ones: divide by 1 − s.

    Returns
    -------
    ndarray, shape (N, N)
        Symmetric, zero on the diagonal.

    Raises
    ------
    TransportError
        When the measures do not live in one space.
    NotCertified
        When a proof fails.
    SolverMissing
        If the extra `solver` is not installed.
    """
    from wassay.transport.solvers.exact import wasserstein

    distances = np.zeros((len(measures), len(measures)))
    for i, mu in enumerate(measures):
        for j, nu in enumerate(measures[:i]):
            distances[i, j] = distances[j, i] = wasserstein(mu, nu, p).value
    return distances


def dendrogram(distances: ArrayLike) -> NDArray[np.float64]:
    """Join the nearest clusters, one pair after the other, by the mean distance between members.

    Parameters
    ----------
    distances : array_like, shape (N, N)
        Symmetric, N at least two.

    Returns
    -------
    ndarray, shape (N − 1, 4)
        One row a join, as `scipy.cluster.hierarchy` writes it: the two clusters, their distance,
        and how many members they have together; `scipy.cluster.hierarchy.dendrogram` draws it.

    Raises
    ------
    TransportError
        When the distances are not a symmetric matrix, nowhere negative, with a zero diagonal.
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
            f"clustering needs a finite (N, N) matrix with N >= 2, got {matrix.shape}"
        )
    if not np.array_equal(matrix, matrix.T) or matrix.diagonal().any() or (matrix < 0).any():
        raise TransportError(
            "distances are not negative, the same in both directions and zero to oneself"
        )
    condensed = squareform(matrix)
    joins: NDArray[np.float64] = hierarchy.linkage(condensed, method="average")
    return joins


def clusters(joins: ArrayLike, count: int) -> NDArray[np.intp]:
    """Cut a dendrogram into `count` clusters: the last joins are undone, of equal ones too.

    Returns
    -------
    ndarray of int, shape (N,)
        The cluster of each, numbered from 0 in order of first appearance.

    Raises
    ------
    TransportError
        When so many clusters cannot be.
    SolverMissing
        If the extra `solver` is not installed.
    """
    require_solver("clustering")
    from scipy.cluster import hierarchy

    rows = np.asarray(joins, dtype=np.float64)
    if not 1 <= count <= len(rows) + 1:
        most = len(rows) + 1
        raise TransportError(f"{most} measures make 1 to {most} clusters, got {count}")
    labels = hierarchy.cut_tree(rows, n_clusters=count).ravel()
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank: NDArray[np.intp] = np.argsort(np.argsort(first))
    return rank[inverse]
