r"""Bounds on the costs between the points of two clusters.

For a row x of the cluster with centre c_k and a column y of the cluster with centre c_l,

.. math::
    \|x - y\|^2 = \|x - c_l\|^2 - 2 \langle x - c_k, y - c_l \rangle
                  + \|y - c_k\|^2 - \|c_k - c_l\|^2

The inner product is at most the distance of x from c_k times the radius of the cluster of y. All
other terms are known for every point and every centre.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_points import ClusteredPoints

_ROUNDINGS = 16 * float(np.finfo(np.float64).eps)
"""Rounding error of a bound, per dimension, relative to the largest squared distance."""

Reals = NDArray[np.float64]


class ClusterBounds:
    """Computes bounds on the costs between clusters of points.

    Parameters
    ----------
    points : ClusteredPoints
    unit : float
        Number by which all costs are multiplied.
    """

    def __init__(self, points: ClusteredPoints, unit: float) -> None:
        clusters = points.clusters
        numbers = np.arange(len(clusters.centres) + 1)
        self.row_starts = clusters.row_starts
        self.column_starts = np.searchsorted(clusters.column_labels, numbers)
        centre = clusters.centres.mean(axis=0)
        centres = clusters.centres - centre
        rows, columns = points.row_points - centre, points.column_points - centre
        from_rows, from_columns = (
            _squared_distances(rows, centres),
            _squared_distances(columns, centres),
        )
        own_rows = from_rows[np.arange(len(rows)), clusters.row_labels]
        own_columns = from_columns[np.arange(len(columns)), clusters.column_labels]
        radii = np.zeros(len(centres))
        np.maximum.at(radii, clusters.column_labels, np.sqrt(own_columns))
        rounding = _ROUNDINGS * rows.shape[1] * max(from_rows.max(), from_columns.max())
        self._rows = from_rows - 2 * np.sqrt(own_rows)[:, None] * radii - rounding
        self._columns = (
            from_columns - _squared_distances(centres, centres)[clusters.column_labels]
        ).T
        self._own_rows, self._own_columns = own_rows, own_columns
        self._power, self._unit = points.p, unit
        if self._power == 2:
            for each in (self._rows, self._columns, self._own_rows, self._own_columns):
                each *= unit

    def of_columns(self, g: Reals) -> LeastReducedCosts:
        """Bound C_ij − g_j from below for every row and every cluster of columns."""
        if self._power == 2:
            return LeastReducedCosts(self._rows, _minima(self._columns - g, self.column_starts))
        return LeastReducedCosts(
            self._rows,
            _minima(self._columns, self.column_starts),
            _minima(-g[None], self.column_starts)[0],
            self._unit,
        )

    def representative_columns(self, g: Reals) -> NDArray[np.intp]:
        """Return, for each cluster with columns, its column with the smallest ‖y_j − c‖^p − g_j.

        Here c is the cluster's centre.
        """
        return _argmin_of_clusters(self._cost_of(self._own_columns) - g, self.column_starts)

    def representative_rows(self, f: Reals) -> NDArray[np.intp]:
        """Return, for each cluster with rows, its row with the smallest ‖x_i − c‖^p − f_i.

        Here c is the cluster's centre.
        """
        return _argmin_of_clusters(self._cost_of(self._own_rows) - f, self.row_starts)

    def _cost_of(self, squared: Reals) -> Reals:
        return squared if self._power == 2 else np.sqrt(squared) * self._unit


@dataclass(frozen=True, eq=False)
class LeastReducedCosts:
    """Lower bounds on C_ij − g_j for every row i and all columns j of a cluster.

    For p = 2, each bound is the sum of two terms. For p = 1, this sum bounds a squared distance;
    the bound on C_ij − g_j is the square root of the sum times `unit`, plus a third term.

    Attributes
    ----------
    rows : ndarray, shape (n, k)
        First term, for each row and each cluster of columns.
    columns : ndarray, shape (k, k)
        Second term, for each cluster of rows and each cluster of columns.
    potentials : ndarray, shape (k,), optional
        Third term, for p = 1: the least −g_j of each cluster of columns.
    unit : float
        Number by which distances are multiplied, for p = 1.
    """

    rows: Reals
    columns: Reals
    potentials: Reals | None = None
    unit: float = 1.0

    def of_clusters(self, row_labels: NDArray[np.intp], f: Reals) -> Reals:
        """Bound C_ij − f_i − g_j from below for every cluster of rows and cluster of columns.

        `row_labels` has the cluster of each row, and must ascend. The bounds of a cluster without
        rows are infinite.
        """
        least = self.rows + self.columns[row_labels]
        if self.potentials is not None:
            least = np.sqrt(np.maximum(least, 0, out=least), out=least) * self.unit
            least += self.potentials
        least -= f[:, None]
        filled, starts = np.unique(row_labels, return_index=True)
        bounds = np.full((len(self.columns), least.shape[1]), np.inf)
        bounds[filled] = np.minimum.reduceat(least, starts, axis=0)
        return bounds


def _squared_distances(points: Reals, centres: Reals) -> Reals:
    """Return the squared distances of points from centres."""
    norms = np.square(points).sum(axis=1)[:, None] + np.square(centres).sum(axis=1)
    squared: Reals = np.maximum(norms - 2 * points @ centres.T, 0)
    return squared


def _minima(values: Reals, starts: NDArray[np.intp]) -> Reals:
    """Return each row's smallest value in each cluster of columns; infinite if that is empty.

    `starts` has the first column of each cluster, and then the number of columns.
    """
    minima = np.full((len(values), len(starts) - 1), np.inf)
    filled = np.flatnonzero(np.diff(starts))
    minima[:, filled] = np.minimum.reduceat(values, starts[filled], axis=1)
    return minima


def _argmin_of_clusters(values: Reals, starts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return, for each cluster that is not empty, the index of the smallest of its values.

    `starts` has the index of each cluster's first value, and then the number of values.
    """
    filled = np.flatnonzero(np.diff(starts))
    return np.array(
        [starts[each] + values[starts[each] : starts[each + 1]].argmin() for each in filled],
        dtype=np.intp,
    )
