"""The interface of transport costs: a matrix that is read in blocks and need not be stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from wassay.transport.costs.point_cost import PointCost

Power: TypeAlias = Literal[1, 2]
"""Order p of W_p, and exponent of the cost ‖x − y‖^p."""

Real = TypeVar("Real", np.float32, np.float64)

MAX_BLOCK_ENTRIES = 2**22
"""The largest number of entries that are computed or read at a time."""

ROUNDING_OF_FLOAT32 = 2.0**-24
"""Unit roundoff of float32: the largest relative error of rounding a number to float32."""


@runtime_checkable
class Cost(Protocol):
    """An (n, m) matrix of transport costs that need not be stored in memory.

    Implementations are `PointCost`, `GivenCost` and `StackedCost`.
    """

    @property
    def shape(self) -> tuple[int, int]:
        """Shape (n, m): number of rows and of columns."""

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Return the costs of rows start … stop − 1 in float64.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        ndarray, shape (stop − start, m)
        """

    def float32_block(self, start: int, stop: int) -> NDArray[np.float32]:
        """Return the costs of rows start … stop − 1 in float32.

        `float32_error` bounds their error.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        ndarray, shape (stop − start, m)
        """

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

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Cost:
        """Return the costs between some rows and some columns.

        Parameters
        ----------
        rows, columns : ndarray of int
            Ascending indices.

        Returns
        -------
        Cost
        """

    def extremes(self, start: int, stop: int) -> tuple[float, float]:
        """Bound the costs of rows start … stop − 1 from below and from above.

        Parameters
        ----------
        start, stop : int
            Range of rows.

        Returns
        -------
        lowest, highest : float
            Bounds on the costs. The larger of |lowest| and |highest| is not much above the largest
            |cost|.

        Raises
        ------
        TransportError
            If a cost is not finite.
        """

    def float32_error(self, largest: float) -> float:
        """Bound the error of an entry of `float32_block`.

        Parameters
        ----------
        largest : float
            Upper bound on |cost|, as `extremes` gives it.

        Returns
        -------
        float
            In units of the cost.
        """

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return the coordinates of the rows' and the columns' points if they have one dimension.

        Returns
        -------
        tuple of ndarray, shapes (n,) and (m,), or None
            None if the points are unknown or have more dimensions.
        """

    def points(self) -> PointCost | None:
        """Return this matrix as a `PointCost`, which computes the costs from points.

        Returns
        -------
        PointCost or None
            None if the points are unknown.
        """
