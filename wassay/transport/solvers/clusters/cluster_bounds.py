"""Bounds on the costs between the points of two clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_points import ClusteredPoints

_ROUNDINGS = 16 * float(np.finfo(np.float64).eps)
"""Rounding error of a bound, per dimension, relative to the largest squared distance."""

_POINTS_AT_A_TIME = 1024
"""The number of points whose distances from all centres are computed at a time."""

Reals = NDArray[np.float64]


class ClusterBounds:
    """Computes bounds on the costs between clusters of points.

    Parameters
    ----------
    points : ClusteredPoints
    unit : float
        Factor by which all costs are multiplied.
    """

    def __init__(self, points: ClusteredPoints, unit: float) -> None:
        clusters = points.clusters
        self.row_starts, self.column_starts = clusters.row_starts, clusters.column_starts
        self._rows = _squared_distances(points.row_points, clusters.centres)
        self._columns = _squared_distances(points.column_points, clusters.centres)
        self._between = _squared_distances(clusters.centres, clusters.centres)
        self._own_rows = self._rows[np.arange(len(self._rows)), clusters.row_labels]
        self._own_columns = self._columns[np.arange(len(self._columns)), clusters.column_labels]
        self._radii = np.zeros(len(clusters.centres))
        np.maximum.at(self._radii, clusters.column_labels, np.sqrt(self._own_columns))
        self._lengths = 2 * np.sqrt(self._own_rows)
        # The rounding error of all terms is subtracted with the distances between centres.
        largest = max(self._rows.max(), self._columns.max())
        self._between += _ROUNDINGS * points.row_points.shape[1] * largest
        self._power, self._unit = points.p, unit
        if self._power == 2:
            self._lengths *= unit
            for each in (self._rows, self._columns, self._between):
                each *= unit
            self._own_rows *= unit
            self._own_columns *= unit

    def least_reduced_costs(self, f: Reals, g: Reals) -> Reals:
        """Bound C_ij − f_i − g_j from below between each cluster of rows and cluster of columns.

        Parameters
        ----------
        f, g : ndarray, shapes (n,) and (m,)
            Potentials of the rows and columns.

        Returns
        -------
        ndarray, shape (k, k)
            By cluster of rows and cluster of columns; infinite if either has no points.
        """
        from wassay.transport.solvers.clusters.compiled_bounds import (
            cluster_minima,
            cluster_minima_of_roots,
        )

        of_rows = self._rows, self._lengths, self._radii
        of_columns = self._columns, np.zeros_like(g), np.zeros_like(self._radii)
        starts = self.column_starts
        # For a row x of the cluster with centre c_k and a column y of the cluster with centre c_l,
        # ‖x − y‖² = ‖x − c_l‖² − 2⟨x − c_k, y − c_l⟩ + ‖y − c_k‖² − ‖c_k − c_l‖². The inner product
        # is at most ‖x − c_k‖ times the radius of the cluster of y.
        if self._power == 2:
            least = cluster_minima(*of_columns, g, starts).T - self._between
            return cluster_minima(*of_rows, f, self.row_starts) + least
        least = cluster_minima(*of_columns, np.zeros_like(g), starts) - self._between
        others = np.ascontiguousarray(least.T)
        return cluster_minima_of_roots(*of_rows, others, f, self.row_starts, self._unit) - _maxima(
            g, starts
        )

    def connecting_pairs(
        self, f: Reals, g: Reals, number: int
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return a few probably cheap pairs between each cluster of rows and cluster of columns.

        Parameters
        ----------
        f, g : ndarray, shapes (n,) and (m,)
            Potentials of the rows and columns.
        number : int
            In each two clusters, the cheapest row and the cheapest column get this many partners.

        Returns
        -------
        rows, columns : ndarray of int, shape (l,)
            Each pair once or twice.
        """
        from wassay.transport.solvers.clusters.compiled_bounds import lowest_of_clusters

        # The cheapest points are those with the lowest reduced cost to the other cluster's centre.
        unit = self._unit if self._power == 1 else 0.0
        rows = lowest_of_clusters(self._rows, f, self.row_starts, unit, number)
        columns = lowest_of_clusters(self._columns, g, self.column_starts, unit, number)
        columns = columns.transpose(1, 0, 2)
        one, other = np.broadcast_arrays(rows[..., :1], columns)
        other_one, other_other = np.broadcast_arrays(rows, columns[..., :1])
        paired_rows = np.concatenate([one.ravel(), other_one.ravel()])
        paired_columns = np.concatenate([other.ravel(), other_other.ravel()])
        exist = (paired_rows >= 0) & (paired_columns >= 0)
        return paired_rows[exist], paired_columns[exist]

    def representative_columns(self, g: Reals) -> NDArray[np.intp]:
        """Return, for each cluster, the column with the least reduced cost to the cluster's centre.

        Clusters without columns are left out.
        """
        return _argmin_of_clusters(self._cost_of(self._own_columns) - g, self.column_starts)

    def representative_rows(self, f: Reals) -> NDArray[np.intp]:
        """Return, for each cluster, the row with the least reduced cost to the cluster's centre.

        Clusters without rows are left out.
        """
        return _argmin_of_clusters(self._cost_of(self._own_rows) - f, self.row_starts)

    def _cost_of(self, squared: Reals) -> Reals:
        return squared if self._power == 2 else np.sqrt(squared) * self._unit


def _squared_distances(points: Reals, centres: Reals) -> Reals:
    """Return the squared distance of each point from each centre, shape (points, centres)."""
    origin = centres.mean(axis=0)
    centred = centres - origin
    doubled, norms = 2 * centred.T, np.square(centred).sum(axis=1)
    squared = np.empty((len(points), len(centres)))
    for start in range(0, len(points), _POINTS_AT_A_TIME):
        some = points[start : start + _POINTS_AT_A_TIME] - origin
        distances = squared[start : start + _POINTS_AT_A_TIME]
        np.subtract(norms, some @ doubled, out=distances)
        distances += np.square(some).sum(axis=1)[:, None]
        np.maximum(distances, 0, out=distances)
    return squared


def _maxima(values: Reals, starts: NDArray[np.intp]) -> Reals:
    """Return the largest value of each cluster, shape (clusters,); −∞ for an empty cluster.

    `starts` has the index of each cluster's first value; its last entry is the number of values.
    """
    maxima = np.full(len(starts) - 1, -np.inf)
    filled = np.flatnonzero(np.diff(starts))
    maxima[filled] = np.maximum.reduceat(values, starts[filled])
    return maxima


def _argmin_of_clusters(values: Reals, starts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the index of each cluster's smallest value, without the empty clusters.

    `starts` has the index of each cluster's first value; its last entry is the number of values.
    """
    filled = np.flatnonzero(np.diff(starts))
    return np.array(
        [starts[each] + values[starts[each] : starts[each + 1]].argmin() for each in filled],
        dtype=np.intp,
    )
