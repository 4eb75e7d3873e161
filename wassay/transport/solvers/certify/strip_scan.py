"""Scans of strips of rows for the dual feasibility check, and how they are combined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.dual_feasibility import DualFeasibility
from wassay.transport.solvers.certify.dual_potentials import DualPotentials


@dataclass(frozen=True, eq=False)
class StripScan:
    """The result of scanning one strip of rows.

    Attributes
    ----------
    row_minima : ndarray
        The least C_ij − g_j of each row of the strip.
    column_minima : ndarray, shape (m,)
        The least C_ij − f_i of each column, over the rows of the strip.
    rows, columns : ndarray of int
        The violated pairs; if there are many, only the most violated.
    """

    row_minima: NDArray[np.float64]
    column_minima: NDArray[np.float64]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


def combined(
    strips: Iterator[list[StripScan]],
    batch: Sequence[DualPotentials],
    errors: Sequence[float],
    unread: float,
) -> list[DualFeasibility]:
    """Combine the scans of successive strips, for each set of potentials.

    Parameters
    ----------
    strips : iterator of list of StripScan
        For each strip, one scan for each set of potentials.
    batch : sequence of DualPotentials
        The sets of potentials.
    errors : sequence of float
        For each set, a bound on the errors of `row_minima` and `column_minima`. It is subtracted
        from both.
    unread : float
        Lower bound on the reduced costs of pairs that were not scanned.

    Returns
    -------
    list of DualFeasibility
    """
    accumulators = [
        _Accumulator(potentials, error, unread)
        for potentials, error in zip(batch, errors, strict=True)
    ]
    for scans in strips:
        for accumulator, scan in zip(accumulators, scans, strict=True):
            accumulator.add(scan)
    return [accumulator.result() for accumulator in accumulators]


class _Accumulator:
    """Combines the scans of successive strips of rows, for one set of potentials."""

    def __init__(self, potentials: DualPotentials, error: float, unread: float) -> None:
        self._potentials = potentials
        self._error = error
        self._row_minima: list[NDArray[np.float64]] = []
        self._column_minima = potentials.g + unread
        self._unread = potentials.f + unread
        self._rows: list[NDArray[np.intp]] = []
        self._columns: list[NDArray[np.intp]] = []

    def add(self, scan: StripScan) -> None:
        """Add the scan of the next strip."""
        self._row_minima.append(scan.row_minima)
        np.minimum(self._column_minima, scan.column_minima, out=self._column_minima)
        self._rows.append(scan.rows)
        self._columns.append(scan.columns)

    def result(self) -> DualFeasibility:
        """Return feasible potentials, and the violated pairs of all strips."""
        return DualFeasibility.from_c_transforms(
            self._potentials,
            np.minimum(np.concatenate(self._row_minima), self._unread) - self._error,
            self._column_minima - self._error,
            np.concatenate(self._rows),
            np.concatenate(self._columns),
        )
