"""Check dual feasibility in float32, for tolerances far above the error of float32."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.point_cost import Columns
from wassay.transport.solvers.certify.dual_feasibility import DualFeasibility
from wassay.transport.solvers.certify.dual_potentials import (
    MAX_VIOLATED_PER_POINT,
    SLACK,
    DualPotentials,
    highest_potentials,
)
from wassay.transport.solvers.certify.strip_scan import StripScan, combined
from wassay.transport.solvers.plan import sorted_unique
from wassay.transport.solvers.prepared_cost import Panels, PreparedCost


def scan_in_float32(cost: PreparedCost, batch: Sequence[DualPotentials]) -> list[DualFeasibility]:
    """Check the potentials of several problems over the same costs, in one scan in float32.

    The c-transforms are lowered by the error of float32, so they stay feasible.

    Parameters
    ----------
    cost : PreparedCost
    batch : sequence of DualPotentials

    Returns
    -------
    list of DualFeasibility
    """
    errors = [potentials.float32_error() for potentials in batch]
    batch = [potentials.rounded_to_float32() for potentials in batch]

    def scan(panels: Panels[np.float32]) -> list[StripScan]:
        scans = [_PanelScan(potentials) for potentials in batch]
        for start, stop, columns, panel in panels:
            for each in scans:
                each.scan(start, stop, columns, panel)
        return [each.result() for each in scans]

    strips = cost.map_near_float32_tiles(scan, *highest_potentials(batch), SLACK)
    return combined(strips, batch, errors, cost.unread_from(SLACK))


class _PanelScan:
    """Compares the costs of one strip of rows, panel by panel, with one set of potentials."""

    def __init__(self, potentials: DualPotentials) -> None:
        problem = potentials.problem
        # A point without mass does not limit the potentials of the other side.
        self._f = _without_massless(potentials.f, problem.row_weights)
        self._g = _without_massless(potentials.g, problem.column_weights)
        self._level = np.float32(potentials.level)
        self._most = MAX_VIOLATED_PER_POINT * max(1.0, len(self._g) / len(self._f))
        self._all_columns = np.arange(len(self._g))
        self._column_minima = np.full(len(self._g), np.inf, np.float32)
        self._row_minima: list[NDArray[np.float32]] = []
        self._last_start = -1
        self._rows: list[NDArray[np.intp]] = []
        self._columns: list[NDArray[np.intp]] = []

    def scan(
        self, start: int, stop: int, some_columns: Columns, panel: NDArray[np.float32]
    ) -> None:
        """Scan a panel: the costs of the rows start … stop − 1 in some columns.

        Panels of the same rows must be scanned directly after each other.
        """
        from wassay.transport.solvers.entropic.tile_scans import lower_minima, rare_indices

        f, g = self._f[start:stop], self._g[some_columns]
        if start != self._last_start:
            self._row_minima.append(np.full(stop - start, np.inf, np.float32))
            self._last_start = start
        column_minima = self._column_minima[some_columns]
        lower_minima(panel, f, g, self._row_minima[-1], column_minima)
        self._column_minima[some_columns] = column_minima
        rows, columns = np.divmod(rare_indices(panel, g, f + self._level), panel.shape[1])
        limit = math.ceil(self._most * len(sorted_unique(rows)))
        if len(rows) > limit:
            reduced = panel[rows, columns] - f[rows] - g[columns]
            worst = np.argpartition(reduced, limit)[:limit]
            rows, columns = rows[worst], columns[worst]
        self._rows.append(rows + start)
        self._columns.append(self._all_columns[some_columns][columns])

    def result(self) -> StripScan:
        """Return the least C_ij − g_j by row and C_ij − f_i by column, and the violated pairs.

        Of many violated pairs in one panel, only the most violated are returned.
        """
        return StripScan(
            np.concatenate(self._row_minima).astype(np.float64),
            self._column_minima.astype(np.float64),
            np.concatenate(self._rows),
            np.concatenate(self._columns),
        )


def _without_massless(
    potentials: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float32]:
    return np.where(weights > 0, potentials, -np.inf).astype(np.float32)
