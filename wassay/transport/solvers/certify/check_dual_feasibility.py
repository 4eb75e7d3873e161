"""Dual feasibility check: scan the reduced costs C_ij − f_i − g_j of all pairs.

The scan yields the violated pairs and two c-transforms: min_j (C_ij − g_j) of each row i, and
min_i (C_ij − f_i) of each column j.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.point_cost import Columns
from wassay.transport.solvers.certify.doubtful_pairs import check_doubtful_pairs
from wassay.transport.solvers.certify.dual_feasibility import DualFeasibility
from wassay.transport.solvers.certify.dual_potentials import (
    MAX_VIOLATED_PER_POINT,
    SLACK,
    DualPotentials,
    highest_potentials,
)
from wassay.transport.solvers.certify.float32_scan import scan_in_float32
from wassay.transport.solvers.certify.strip_scan import StripScan, combined
from wassay.transport.solvers.prepared_cost import Panels, PreparedCost

MIN_COMPILED_PAIRS = 250_000
"""Up to this many pairs are scanned in float64 by numpy, which loads no compiled code."""


def check_dual_feasibility(
    cost: PreparedCost, batch: Sequence[DualPotentials]
) -> list[DualFeasibility]:
    """Check the potentials of several problems over the same costs.

    Pairs are read in float32 or float64, as the problems' tolerances require.

    Parameters
    ----------
    cost : PreparedCost
        The costs that all problems share.
    batch : sequence of DualPotentials

    Returns
    -------
    list of DualFeasibility
    """
    if math.prod(cost.shape) <= MIN_COMPILED_PAIRS:
        return scan_in_float64(cost, batch)
    if all(potentials.allow_float32() for potentials in batch):
        return scan_in_float32(cost, batch)
    checked = check_doubtful_pairs(cost, batch)
    return scan_in_float64(cost, batch) if checked is None else checked


def scan_in_float64(cost: PreparedCost, batch: Sequence[DualPotentials]) -> list[DualFeasibility]:
    """Check the potentials of several problems over the same costs, in one scan in float64.

    Parameters
    ----------
    cost : PreparedCost
    batch : sequence of DualPotentials

    Returns
    -------
    list of DualFeasibility
    """
    strips = cost.map_near_blocks(
        lambda each: _scan_strip(each, batch), *highest_potentials(batch), SLACK
    )
    return combined(strips, batch, [0.0] * len(batch), cost.unread_from(SLACK))


def _scan_strip(panels: Panels[np.float64], batch: Sequence[DualPotentials]) -> list[StripScan]:
    block_scans = [_BlockScan(potentials) for potentials in batch]
    for start, stop, columns, block in panels:
        for each in block_scans:
            each.scan(start, stop, columns, block)
    return [each.result() for each in block_scans]


MinimaFunction: TypeAlias = Callable[
    [
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
    ],
    None,
]
"""Updates the minima of rows and columns with one block, like `lower_minima`."""


class _BlockScan:
    """Compares the costs of one strip of rows, block by block, with one set of potentials."""

    def __init__(self, potentials: DualPotentials) -> None:
        problem = potentials.problem
        # A point without mass does not limit the potentials of the other side.
        self._f = np.where(problem.row_weights > 0, potentials.f, -np.inf)
        self._g = np.where(problem.column_weights > 0, potentials.g, -np.inf)
        self._level = potentials.level
        self._all_columns = np.arange(len(self._g))
        self._column_minima = np.full(len(self._g), np.inf)
        self._lower_minima = _minima_function(len(self._f) * len(self._g))
        self._row_minima: list[NDArray[np.float64]] = []
        self._rows = [np.empty(0, np.intp)]
        self._columns = [np.empty(0, np.intp)]

    def scan(
        self, start: int, stop: int, some_columns: Columns, block: NDArray[np.float64]
    ) -> None:
        """Scan a block: the costs of the rows start … stop − 1 in some columns."""
        f, g = self._f[start:stop], self._g[some_columns]
        minima, column_minima = np.full(len(f), np.inf), self._column_minima[some_columns]
        self._lower_minima(block, f, g, minima, column_minima)
        self._column_minima[some_columns] = column_minima
        self._row_minima.append(minima)
        violated = np.flatnonzero(minima - f < self._level)
        if not len(violated):
            return
        limit = math.ceil(
            MAX_VIOLATED_PER_POINT * len(violated) * max(1.0, len(self._g) / len(self._f))
        )
        reduced = block[violated] - f[violated, None] - g
        rows, columns = _most_violated(reduced, self._level, limit)
        self._rows.append(violated[rows] + start)
        self._columns.append(self._all_columns[some_columns][columns])

    def result(self) -> StripScan:
        """Return the least C_ij − g_j by row and C_ij − f_i by column, and the violated pairs.

        Of many violated pairs in one block, only the most violated are returned.
        """
        return StripScan(
            np.concatenate(self._row_minima),
            self._column_minima,
            np.concatenate(self._rows),
            np.concatenate(self._columns),
        )


def _minima_function(pairs: int) -> MinimaFunction:
    """Return `lower_minima` or, for few pairs, a function that does the same in numpy."""
    if pairs <= MIN_COMPILED_PAIRS:
        return _lower_minima_of_few
    from wassay.transport.solvers.entropic.tile_scans import lower_minima

    return lower_minima


def _lower_minima_of_few(
    block: NDArray[np.float64],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    row_minima: NDArray[np.float64],
    column_minima: NDArray[np.float64],
) -> None:
    """Update the minima of rows and columns with one more block, as `lower_minima` does."""
    np.minimum(row_minima, (block - g).min(axis=1), out=row_minima)
    np.minimum(column_minima, (block - f[:, None]).min(axis=0), out=column_minima)


def _most_violated(
    reduced: NDArray[np.float64], level: float, limit: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows and columns of the pairs with reduced costs below `level`.

    If there are more than `limit` such pairs, the `limit` lowest of them are returned.
    """
    below = np.flatnonzero(reduced < level)
    if len(below) > limit:
        values = reduced.ravel()[below]
        below = below[np.argpartition(values, limit)[:limit]]
    return np.divmod(below, reduced.shape[1])
