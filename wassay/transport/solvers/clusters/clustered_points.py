"""Costs between points that are ordered by cluster."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.measure import Measure
from wassay.transport.solvers.clusters.partition import Clusters, find_clusters

MIN_COST, MAX_COST = 2.0**-60, 2.0**60
"""The largest cost must lie in this range, so that float32 can hold all costs."""


class ClusteredPoints(PointCost):
    """Costs ‖x_i − y_j‖^p between points that are ordered by cluster.

    Parameters
    ----------
    rows, columns : Measure
    p : {1, 2}
    clusters : Clusters
        Row labels and column labels ascend.
    """

    def __init__(self, rows: Measure, columns: Measure, p: Power, clusters: Clusters) -> None:
        super().__init__(rows, columns, p)
        self.clusters = clusters

    @classmethod
    def ordered(
        cls, cost: Cost, rows: NDArray[np.intp], columns: NDArray[np.intp]
    ) -> tuple[ClusteredPoints, NDArray[np.intp], NDArray[np.intp]] | None:
        """Take some rows and columns of a cost, and order them by the clusters of their points.

        Return None if the cost is not between points, the points form no clusters, or float32
        cannot hold the costs.

        Parameters
        ----------
        cost : Cost
        rows, columns : ndarray of int
            The points to take.

        Returns
        -------
        cost : ClusteredPoints
        rows, columns : ndarray of int
            The points in the new order.
        """
        points = cost.points()
        if points is None:
            return None
        _, highest = points.extremes(0, points.shape[0])
        if not MIN_COST < highest < MAX_COST:
            return None
        clusters = find_clusters(points.row_points[rows], points.column_points[columns])
        if clusters is None:
            return None
        row_order = np.argsort(clusters.row_labels, kind="stable")
        column_order = np.argsort(clusters.column_labels, kind="stable")
        rows, columns = rows[row_order], columns[column_order]
        return (
            cls(
                Measure(points.row_points[rows]),
                Measure(points.column_points[columns]),
                points.p,
                clusters.only(row_order, column_order),
            ),
            rows,
            columns,
        )

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> ClusteredPoints:
        """Return the costs between some of the points.

        Parameters
        ----------
        rows, columns : ndarray of int
            Ascending indices.

        Returns
        -------
        ClusteredPoints
        """
        return ClusteredPoints(
            Measure(self.row_points[rows]),
            Measure(self.column_points[columns]),
            self.p,
            self.clusters.only(rows, columns),
        )
