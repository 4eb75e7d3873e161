"""Find clusters of rows and columns from given costs, without knowing any points.

The costs of a row to a few columns stand in for the row's point.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.solvers.clusters.partition import (
    ROUNDING,
    Clusters,
    nearest_centres,
    separated_centres,
)

SAMPLED_COLUMNS = 64
"""The most columns whose costs describe a row."""

MAX_RANK = 32
"""A row is described by the largest principal components of its costs, up to this many."""

SAMPLED_ROWS = 1024
"""The most rows among which centres are chosen."""

ROWS_OF_A_CLUSTER = 16
"""The most rows of a cluster whose mean cost to a column decides whether the column is in it."""

ROWS_AT_A_TIME = 4096
"""The number of rows that are described at a time."""

Reals = NDArray[np.float64]


def clusters_by_costs(cost: GivenCost) -> Clusters | None:
    """Find clusters of the rows; return None if they are not well separated.

    A column belongs to the cluster of rows with the least mean cost to it.

    Parameters
    ----------
    cost : GivenCost, shape (n, m)
        All costs are finite, and float32 can hold them.

    Returns
    -------
    Clusters or None
    """
    n, m = cost.shape
    sampled_columns = _equal_steps(m, SAMPLED_COLUMNS)
    sample = next(_descriptions(cost.only(_equal_steps(n, SAMPLED_ROWS), sampled_columns)))
    mean, components = _components(sample)
    if not components.size:
        return None
    centres = separated_centres((sample - mean) @ components, must_be_far_apart=True)
    if centres is None:
        return None
    labels = [
        nearest_centres((block - mean) @ components, centres)
        for block in _descriptions(cost.only(np.arange(n), sampled_columns))
    ]
    row_labels = np.concatenate(labels)
    return Clusters(centres, row_labels, _cheapest_clusters(cost, row_labels))


def _equal_steps(size: int, most: int) -> NDArray[np.intp]:
    return np.linspace(0, size - 1, min(size, most)).astype(np.intp)


def _descriptions(cost: GivenCost) -> Iterator[Reals]:
    """Yield each row's costs less their mean, for up to `ROWS_AT_A_TIME` rows at a time."""
    n, _ = cost.shape
    for start in range(0, n, ROWS_AT_A_TIME):
        costs = cost.block(start, min(start + ROWS_AT_A_TIME, n))
        # For C_ij = ‖x_i − y_j‖², this is an affine function of x_i.
        yield costs - costs.mean(axis=1, keepdims=True)


def _components(sample: Reals) -> tuple[Reals, Reals]:
    """Return the sample's mean, and its scaled principal components as columns.

    The second array has no columns if all rows of the sample are equal.
    """
    mean = sample.mean(axis=0)
    centred = sample - mean
    variances, directions = np.linalg.eigh(centred.T @ centred / len(sample))
    kept = variances > max(variances[-1], 0.0) * ROUNDING
    variances, directions = variances[kept][-MAX_RANK:], directions[:, kept][:, -MAX_RANK:]
    # If both sides are distributed alike, the variances are about the squares of the points' own.
    return mean, directions / np.sqrt(np.sqrt(variances))


def _cheapest_clusters(cost: GivenCost, row_labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return, for each column, the cluster of rows with the least mean cost to it, shape (m,).

    Only some rows of a large cluster are averaged.
    """
    _, m = cost.shape
    columns = np.arange(m)
    lowest, labels = np.full(m, np.inf), np.zeros(m, np.intp)
    for cluster in np.unique(row_labels):
        rows = np.flatnonzero(row_labels == cluster)
        some = cost.only(rows[_equal_steps(len(rows), ROWS_OF_A_CLUSTER)], columns)
        mean = some.block(0, some.shape[0]).mean(axis=0)
        labels[mean < lowest] = cluster
        np.minimum(lowest, mean, out=lowest)
    return labels
