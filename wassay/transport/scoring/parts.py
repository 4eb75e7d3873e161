"""The parts of an optimal plan that exchange no mass: inside them, potentials are tied together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from wassay.transport.costs.cost import ENTRIES_AT_ONCE, Cost
from wassay.transport.solvers.solution import Solution

SMALLEST_SHARE = 1e-10
"""A pair with less than this of the mass of both its points has it by rounding: it joins no parts.
"""


@dataclass(frozen=True, eq=False)
class Parts:
    """Connected components of the plan's pairs.

    Attributes
    ----------
    cost : Cost
    solution : Solution
    count : int
    row, column : ndarray of int, shapes (n,) and (m,)
        The part of every point; −1 for points without mass.
    """

    cost: Cost
    solution: Solution
    count: int
    row: NDArray[np.intp]
    column: NDArray[np.intp]

    @classmethod
    def of(cls, cost: Cost, solution: Solution) -> Parts:
        """Find and number them."""
        n, m = cost.shape
        row_mass = np.bincount(solution.rows, solution.mass, n)
        column_mass = np.bincount(solution.columns, solution.mass, m)
        lesser = np.minimum(row_mass[solution.rows], column_mass[solution.columns])
        joined = solution.mass > SMALLEST_SHARE * lesser
        ends = solution.rows[joined], n + solution.columns[joined]
        graph = coo_array((solution.mass[joined], ends), shape=(n + m, n + m))
        _, labels = connected_components(graph, directed=False)
        massive = np.concatenate([row_mass, column_mass]) > 0
        found, numbered = np.unique(labels[massive], return_inverse=True)
        part = np.full(n + m, -1, dtype=np.intp)
        part[massive] = numbered
        return cls(cost, solution, len(found), part[:n], part[n:])

    def mass(self) -> NDArray[np.float64]:
        """Mass of every part, shape (count,)."""
        return self._sums(self.solution.mass)

    def transport(self) -> NDArray[np.float64]:
        """Cost of moving a unit of every part's mass, shape (count,)."""
        solution = self.solution
        entries = self.cost.at(solution.rows, solution.columns)
        return self._sums(entries * solution.mass) / self.mass()

    def reduced(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """Parts of some rows with mass, and their cheapest reduced costs to every part.

        Blocks of shapes (r,) and (r, count), until all rows were there.
        """
        n, m = self.cost.shape
        order = np.argsort(self.column, kind="stable")[np.count_nonzero(self.column < 0) :]
        starts = np.searchsorted(self.column[order], np.arange(self.count))
        step = max(1, ENTRIES_AT_ONCE // m)
        for start in range(0, n, step):
            stop = min(start + step, n)
            block = self.cost.block(start, stop)[:, order]
            block -= self.solution.f[start:stop, None]
            block -= self.solution.g[order]
            nearest = np.minimum.reduceat(block, starts, axis=1)
            massive = self.row[start:stop] >= 0
            yield self.row[start:stop][massive], np.maximum(nearest[massive], 0.0)

    def _sums(self, of_pairs: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self.row[self.solution.rows], of_pairs, self.count)
        return sums.astype(np.float64, copy=False)
