"""A pass of Sinkhorn's iteration over stored costs, without those between far clusters."""

# The loop over the clusters is compiled, because a Python call for each small cluster would take
# longer than the work on it.

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_given_cost import WithClusters

Singles = NDArray[np.float32]


def pass_over_clusters(
    cost: WithClusters,
    stored: Singles,
    f: Singles,
    g: Singles,
    row_weights: Singles,
    column_weights: Singles,
    squared_weights: Singles,
    epsilon: np.float32,
    reach: float,
    column_sums: Singles,
) -> float:
    """Update the potentials of all rows, and compute the column sums of each cluster of rows.

    Parameters
    ----------
    cost : ClusteredCost or ClusteredGivenCost
    stored : ndarray, shape (n, m)
        The stored costs of `cost`.
    f, row_weights : ndarray, shape (n,)
        f is updated in place.
    g, column_weights, squared_weights : ndarray, shape (m,)
        See `sinkhorn_pass`.
    epsilon : float
    reach : float
        Pairs of clusters may be left out if all their reduced costs are at least `reach`.
    column_sums : ndarray, shape (k, m)
        Zeros, to be replaced by the column sums of `sinkhorn_pass` over each cluster of rows.

    Returns
    -------
    float
        The sum that `sinkhorn_pass` returns, over all rows.
    """
    from wassay.transport.solvers.clusters.compiled_ranges import near_ranges
    from wassay.transport.solvers.entropic.compiled_scans import clustered_pass

    near = cost.near_clusters(f.astype(np.float64), g.astype(np.float64), reach)
    row_starts = cost.clusters.row_starts
    ranges = near_ranges(near, cost.clusters.column_starts)

    def update(clusters: tuple[int, int]) -> float:
        return clustered_pass(
            stored,
            f,
            g,
            row_weights,
            column_weights,
            squared_weights,
            epsilon,
            row_starts,
            ranges,
            *clusters,
            column_sums,
        )

    return sum(cost.threads.map(update, cost.clusters.groups(stored.size)))
