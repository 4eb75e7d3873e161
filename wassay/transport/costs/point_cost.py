"""Costs ‖x − y‖^p between the points of two measures, computed on demand."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import ROUNDING_OF_FLOAT32, Power, Real
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure

CANCELLATION = 1e-5
"""Squared distances below this share of the squared norms are recomputed from differences."""

Columns: TypeAlias = slice | NDArray[np.intp]
"""The columns of a cost matrix to return."""

ALL_COLUMNS = slice(None)

# Loading compiled code takes half a second, which does not pay for smaller matrices.
MIN_COMPILED_PAIRS = 250_000
"""In matrices with more entries than this, single entries are computed by compiled code."""

_ENTRIES_IN_CACHE = 2**15
"""The number of coordinates whose differences are computed at a time."""

_ROUNDINGS_OF_A_PRODUCT = 4
"""Roundings of one term: both factors, the product, and the sum."""


class PointCost:
    """Costs ‖x_i − y_j‖^p between the points of two measures, computed in blocks.

    Parameters
    ----------
    rows : Measure, n points
        The points x_i, mostly a seller's.
    columns : Measure, m points
        The points y_j, mostly the buyer's.
    p : {1, 2}
        Exponent.

    Raises
    ------
    TransportError
        If an argument is not a measure, the dimensions differ, or p is neither 1 nor 2.
    """

    def __init__(self, rows: Measure, columns: Measure, p: Power = 2) -> None:
        _require_power(p)
        for measure in (rows, columns):
            if not isinstance(measure, Measure):
                raise TransportError(
                    f"expected a wassay.Measure, received {type(measure).__name__}: pass "
                    "Measure(points)"
                )
        if rows.dimension != columns.dimension:
            raise TransportError(
                "expected measures of one dimension, received dimensions "
                f"{rows.dimension} and {columns.dimension}"
            )
        self.row_points, self.column_points, self.p = rows.points, columns.points, p
        self._centre = (rows.mean + columns.mean) / 2
        left, right = self.row_points - self._centre, self.column_points - self._centre
        self._row_norms = np.einsum("ij,ij->i", left, left)
        self._column_norms = np.einsum("ij,ij->i", right, right)

    @cached_property
    def _factors(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self._matrices(np.float64)

    @cached_property
    def _float32_factors(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with np.errstate(over="ignore"):  # costs too large for float32 are read in float64 only
            return self._matrices(np.float32)

    def _matrices(self, real: type[Real]) -> tuple[NDArray[Real], NDArray[Real]]:
        """Return two matrices whose product has all squared distances."""
        (n, d), m = self.row_points.shape, len(self.column_points)
        # ‖x‖² − 2⟨x, y⟩ + ‖y‖² is the product of the vectors (−2x, ‖x‖², 1) and (y, 1, ‖y‖²).
        left, right = np.ones((n, d + 2), real), np.ones((d + 2, m), real)
        np.subtract(self.row_points, self._centre, out=left[:, :d], casting="same_kind")
        np.subtract(self.column_points, self._centre, out=right[:d].T, casting="same_kind")
        left[:, :d] *= -2
        left[:, d], right[d + 1] = self._row_norms, self._column_norms
        return left, right

    @property
    def shape(self) -> tuple[int, int]:
        """Shape (n, m): number of rows and of columns."""
        return len(self.row_points), len(self.column_points)

    def block(self, start: int, stop: int, columns: Columns = ALL_COLUMNS) -> NDArray[np.float64]:
        """Return the costs of rows start … stop − 1 in float64.

        Parameters
        ----------
        start, stop : int
            Range of rows.
        columns : slice or ndarray of int
            The columns to return, by default all.

        Returns
        -------
        ndarray, shape (stop − start, number of columns)
        """
        left, right = self._factors
        squared: NDArray[np.float64] = left[start:stop] @ right[:, columns]
        # The product cancels where two points are much closer to each other than to the centre.
        rows, cancelled = self._cancelled(squared, start, columns)
        squared[rows, cancelled] = _by_differences(
            self.row_points[start:stop], self.column_points[columns], rows, cancelled
        )
        return _powers(squared, self.p)

    def float32_block(
        self, start: int, stop: int, columns: Columns = ALL_COLUMNS
    ) -> NDArray[np.float32]:
        """Return the costs of rows start … stop − 1 in float32.

        Costs between very near points are less accurate than those of `block`; see `float32_error`.

        Parameters
        ----------
        start, stop : int
            Range of rows.
        columns : slice or ndarray of int
            The columns to return, by default all.

        Returns
        -------
        ndarray, shape (stop − start, number of columns)
        """
        left, right = self._float32_factors
        squared: NDArray[np.float32] = left[start:stop] @ right[:, columns]
        if self.p == 2:
            return squared
        np.clip(squared, 0, None, out=squared)
        return np.sqrt(squared, out=squared)

    def store_float32(self, start: int, stop: int, unit: float, out: NDArray[np.float32]) -> None:
        """Write the costs of rows start … stop − 1, times `unit`, to `out`.

        Parameters
        ----------
        start, stop : int
            Range of rows.
        unit : float
            A power of two.
        out : ndarray of float32, shape (stop − start, m)
        """
        factor = np.float32(unit if self.p == 2 else unit * unit)
        left, right = self._float32_factors
        np.matmul(left[start:stop] * factor, right, out=out)
        if self.p == 1:
            np.clip(out, 0, None, out=out)
            np.sqrt(out, out=out)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the costs of single pairs.

        Parameters
        ----------
        rows, columns : ndarray of int, shape (l,)
            Row and column of each of the l pairs.

        Returns
        -------
        ndarray, shape (l,)
            C[rows[k], columns[k]].
        """
        return costs_at(self.row_points, self.column_points, self.p, rows, columns)

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> PointCost:
        """Return the costs between some of the points.

        Parameters
        ----------
        rows, columns : ndarray of int
            Ascending indices.

        Returns
        -------
        PointCost
        """
        return PointCost(
            Measure(self.row_points[rows]), Measure(self.column_points[columns]), self.p
        )

    def transposed(self) -> PointCost:
        """Return the costs with rows and columns exchanged.

        Returns
        -------
        PointCost
        """
        return PointCost(Measure(self.column_points), Measure(self.row_points), self.p)

    def extremes(self, start: int, stop: int) -> tuple[float, float]:
        """Bound the costs of rows start … stop − 1 by the triangle inequality.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        lowest, highest : float
            0, and an upper bound on the costs.

        Raises
        ------
        TransportError
            If the points are too far apart for finite costs.
        """
        farthest = self._row_norms[start:stop].max()
        distance = float(np.sqrt(farthest) + np.sqrt(self._column_norms.max()))
        bound = distance if self.p == 1 else distance * distance
        if not math.isfinite(bound):
            raise TransportError(
                "expected finite costs, received points too far apart for that: scale them down"
            )
        return 0.0, bound

    def float32_error(self, largest: float) -> float:
        """Bound the error of a cost in `float32_block`.

        Parameters
        ----------
        largest : float
            Upper bound on (‖x‖ + ‖y‖)^p, as `extremes` gives it.

        Returns
        -------
        float
            In units of the cost.
        """
        # A squared distance ‖x − y‖² is a sum of d + 2 rounded products, whose absolute values add
        # up to at most (‖x‖ + ‖y‖)². So its error is at most d + 6 roundings of a number of this
        # size (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1). For
        # p = 1, the root of this bounds the error.
        operations = self.row_points.shape[1] + 2 + _ROUNDINGS_OF_A_PRODUCT
        share = operations * ROUNDING_OF_FLOAT32
        return share * largest if self.p == 2 else math.sqrt(share) * largest

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return the coordinates of the rows' and the columns' points if they have one dimension.

        Returns
        -------
        tuple of ndarray, shapes (n,) and (m,), or None
            None if the points have more dimensions.
        """
        if self.row_points.shape[1] > 1:
            return None
        return self.row_points[:, 0], self.column_points[:, 0]

    def points(self) -> PointCost:
        """Return these costs themselves.

        Returns
        -------
        PointCost
        """
        return self

    def _cancelled(
        self, squared: NDArray[np.float64], start: int, columns: Columns
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Find the inaccurate entries of a block of squared distances that a product computed.

        Return each such entry's row and column within the block, which begins at the row `start`.
        """
        norms = self._row_norms[start : start + len(squared)]
        reachable = CANCELLATION * (norms + self._column_norms.max())
        near = np.flatnonzero(squared.min(axis=1) <= reachable)
        scale = norms[near, None] + self._column_norms[columns]
        rows, cancelled = np.nonzero(squared[near] <= CANCELLATION * scale)
        return near[rows], cancelled


def cost_block(rows: ArrayLike, columns: ArrayLike, p: Power = 2) -> NDArray[np.float64]:
    """Compute the costs ‖x_i − y_j‖^p between two sets of points.

    Parameters
    ----------
    rows : array_like, shape (n, d)
        A seller's points x_i.
    columns : array_like, shape (m, d)
        The buyer's points y_j.
    p : {1, 2}
        Exponent.

    Returns
    -------
    ndarray, shape (n, m)
        Costs in float64, in units of the coordinates to the power p. Equal points have the cost 0,
        and the relative error of a cost is at most about 1e-10.

    Raises
    ------
    TransportError
        If the points are not finite real matrices of one dimension, or p is neither 1 nor 2.
    """
    cost = PointCost(Measure(rows), Measure(columns), p)
    return cost.block(0, cost.shape[0])


def costs_at(
    row_points: NDArray[np.float64],
    column_points: NDArray[np.float64],
    p: Power,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Compute the costs ‖x_i − y_j‖^p of single pairs of points, from the differences x_i − y_j.

    Parameters
    ----------
    row_points : ndarray, shape (n, d)
        The points x_i.
    column_points : ndarray, shape (m, d)
        The points y_j.
    p : {1, 2}
    rows, columns : ndarray of int, shape (l,)
        The indices i and j of each of the l pairs.

    Returns
    -------
    ndarray, shape (l,)
    """
    if len(row_points) * len(column_points) > MIN_COMPILED_PAIRS:
        from wassay.transport.costs.pair_distances import squared_distances

        squared = squared_distances(row_points, column_points, rows, columns)
    else:
        squared = _by_differences(row_points, column_points, rows, columns)
    return _powers(squared, p)


def _require_power(p: int) -> None:
    if p not in (1, 2):
        raise TransportError(f"expected p = 1 or p = 2, received {p}")


def _powers(squared: NDArray[np.float64], p: Power) -> NDArray[np.float64]:
    return squared if p == 2 else np.sqrt(squared, out=squared)


def _by_differences(
    points: NDArray[np.float64],
    others: NDArray[np.float64],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
) -> NDArray[np.float64]:
    values = np.empty(len(rows))
    step = max(1, _ENTRIES_IN_CACHE // points.shape[1])
    for start in range(0, len(rows), step):
        chunk = slice(start, start + step)
        differences = points[rows[chunk]] - others[columns[chunk]]
        values[chunk] = np.einsum("ij,ij->i", differences, differences)
    return values
