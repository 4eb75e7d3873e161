"""A cost matrix from the caller, with rows and columns ordered by cluster."""

from __future__ import annotations

import math
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Cost
from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.clusters.clustered_points import MAX_COST, MIN_COST
from wassay.transport.solvers.clusters.partition import Clusters
from wassay.transport.solvers.clusters.partition_by_costs import clusters_by_costs
from wassay.transport.solvers.prepared_cost import PreparedCost

MIN_PAIRS = 4_000_000
"""No clusters are looked for in fewer costs, as the search takes two milliseconds."""


class ClusteredGivenCost(PreparedCost):
    """A cost matrix from the caller, stored with rows and columns ordered by cluster.

    The clusters only balance Sinkhorn's iteration: every scan reads all pairs.

    Parameters
    ----------
    cost : GivenCost
    clusters : Clusters
        Row labels and column labels ascend.
    like : PreparedCost
        Costs with the same bounds, unit, budget and threads.
    """

    def __init__(self, cost: GivenCost, clusters: Clusters, like: PreparedCost) -> None:
        super().__init__(
            cost,
            like.exponent,
            math.ldexp(like.lowest, like.exponent),
            math.ldexp(like.largest, like.exponent),
            like.memory_budget_bytes,
            like.threads,
        )
        self._given = cost
        self.clusters = clusters

    @classmethod
    def ordered(
        cls,
        cost: Cost,
        prepared: PreparedCost,
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
    ) -> tuple[Self, NDArray[np.intp], NDArray[np.intp]] | None:
        """Order a cost matrix by clusters of its rows and columns.

        Return None if the cost is no `GivenCost`, is small, has no clusters, or does not fit into
        the memory budget or float32.

        Parameters
        ----------
        cost : Cost
        prepared : PreparedCost
            The same costs, which are known to be finite.
        rows, columns : ndarray of int
            The caller's indices of the rows and columns.

        Returns
        -------
        cost : ClusteredGivenCost
        rows, columns : ndarray of int
            These arguments in the new order.
        """
        if not isinstance(cost, GivenCost) or math.prod(cost.shape) < MIN_PAIRS:
            return None
        largest = math.ldexp(prepared.largest, prepared.exponent)
        if not prepared.fits_budget or not MIN_COST < largest < MAX_COST:
            return None
        clusters = clusters_by_costs(cost)
        if clusters is None:
            return None
        row_order = np.argsort(clusters.row_labels, kind="stable")
        column_order = np.argsort(clusters.column_labels, kind="stable")
        in_order = clusters.only(row_order, column_order)
        return (
            cls(cost.only(row_order, column_order), in_order, prepared),
            rows[row_order],
            columns[column_order],
        )

    def sample(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Self:
        """Return the costs of some rows and columns, in the same units."""
        return type(self)(self._given.only(rows, columns), self.clusters.only(rows, columns), self)

    def near_clusters(
        self, f: NDArray[np.float64], g: NDArray[np.float64], reach: float
    ) -> NDArray[np.bool_]:
        """Mark all clusters whatever the arguments are, shape (k, k): scans read all columns."""
        return np.ones((self.clusters.number, self.clusters.number), dtype=bool)


WithClusters: TypeAlias = ClusteredCost | ClusteredGivenCost
"""Costs whose rows and columns are ordered by cluster."""
