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

    def rounded(
        self, row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
    ) -> Plan:
        """A plan that has the weights as its marginals, near this one (Altschuler et al. 2017).

        Rows and then columns that send too much are scaled down; the mass they lack is sent along
        a north-west path, which keeps the plan sparse.
        """
        mass = self.mass * _shrink(self.rows, self.mass, row_weights)
        mass = mass * _shrink(self.columns, mass, column_weights)
        row_rest = row_weights - np.bincount(self.rows, mass, len(row_weights))
        column_rest = column_weights - np.bincount(self.columns, mass, len(column_weights))
        rest = north_west(np.maximum(row_rest, 0), np.maximum(column_rest, 0))
        return Plan(
            np.concatenate([self.rows, rest.rows]),
            np.concatenate([self.columns, rest.columns]),
            np.concatenate([mass, rest.mass]),
        )


@dataclass(frozen=True, eq=False)
class RawSolution:
    """What a solver says, before anybody has checked it."""

    plan: Plan
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    solver: str
    solver_version: str
    rounds: int = 1


def north_west(row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]) -> Plan:
    """Send mass from the first rows to the first columns until none is left.

    At most n + m − 1 pairs. Totals may differ by rounding; the last pair takes the difference.
    """
    row_ends, column_ends = np.cumsum(row_weights), np.cumsum(column_weights)
    total = min(row_ends[-1], column_ends[-1])
    ends = np.union1d(row_ends, column_ends)
    ends = np.append(ends[ends < total], total)
    starts = np.concatenate([[0.0], ends[:-1]])
    rows = np.minimum(np.searchsorted(row_ends, starts, side="right"), len(row_ends) - 1)
    columns = np.minimum(np.searchsorted(column_ends, starts, side="right"), len(column_ends) - 1)
    return Plan(rows, columns, ends - starts)


def _shrink(
    index: NDArray[np.intp], mass: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    sent = np.bincount(index, mass, len(weights))
    share = np.divide(weights, sent, out=np.ones_like(sent), where=sent > weights)
    return share[index]
