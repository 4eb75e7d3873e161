"""Transport plans as the few pairs that carry mass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Plan:
    """A coupling, sparse: mass[k] goes from row rows[k] to column columns[k]."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    mass: NDArray[np.float64]

    def marginal_error(
        self, row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
    ) -> float:
        """Largest difference between the plan's marginals and the weights."""
        row_error = np.bincount(self.rows, self.mass, len(row_weights)) - row_weights
        column_error = np.bincount(self.columns, self.mass, len(column_weights)) - column_weights
        return float(max(np.abs(row_error).max(), np.abs(column_error).max()))


@dataclass(frozen=True, eq=False)
class RawSolution:
    """What a solver says, before anybody has checked it."""

    plan: Plan
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    solver: str
    solver_version: str
    rounds: int = 1
