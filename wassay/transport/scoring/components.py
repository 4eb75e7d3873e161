"""Connected components of an optimal plan; inside each, the potentials determine each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from wassay.transport.costs.cost import MAX_BLOCK_ENTRIES, Cost
from wassay.transport.solvers.solution import Solution

MIN_SHARE = 1e-10
"""Pairs with less than this share of both points' mass are rounding and join nothing."""


@dataclass(frozen=True, eq=False)
class PlanComponents:
    """Connected components of the bipartite graph of a plan's pairs.

    Attributes
    ----------
    cost : Cost
    solution : Solution
    count : int
        Number of components.
    row, column : ndarray of int, shapes (n,) and (m,)
        Component of every point; −1 for points without mass.
    """

    cost: Cost
    solution: Solution
    count: int
    row: NDArray[np.intp]
    column: NDArray[np.intp]

    @classmethod
    def of(cls, cost: Cost, solution: Solution) -> PlanComponents:
        """Find and number the components of a solution's plan."""
        n, m = cost.shape
        row_mass = np.bincount(solution.rows, solution.mass, n)
        column_mass = np.bincount(solution.columns, solution.mass, m)
        lesser = np.minimum(row_mass[solution.rows], column_mass[solution.columns])
        joined = solution.mass > MIN_SHARE * lesser
        ends = solution.rows[joined], n + solution.columns[joined]
        graph = coo_array((solution.mass[joined], ends), shape=(n + m, n + m))
        _, labels = connected_components(graph, directed=False)
        has_mass = np.concatenate([row_mass, column_mass]) > 0
        used_labels, numbered = np.unique(labels[has_mass], return_inverse=True)
        component = np.full(n + m, -1, dtype=np.intp)
        component[has_mass] = numbered
        return cls(cost, solution, len(used_labels), component[:n], component[n:])

    def mass(self) -> NDArray[np.float64]:
        """Return the mass of every component, shape (count,)."""
        return self._sums(self.solution.mass)

    def transport(self) -> NDArray[np.float64]:
        """Return the transport cost per unit of mass of every component, shape (count,)."""
        solution = self.solution
        entries = self.cost.at(solution.rows, solution.columns)
        return self._sums(entries * solution.mass) / self.mass()

    def reduced(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """Yield the smallest reduced costs from rows to components, in blocks of rows.

        Rows without mass are left out. Each block consists of the rows' components, shape (r,), and
        their smallest reduced cost to every component, shape (r, count).
        """
        n, m = self.cost.shape
        permutation = np.argsort(self.column, kind="stable")[np.count_nonzero(self.column < 0) :]
        starts = np.searchsorted(self.column[permutation], np.arange(self.count))
        step = max(1, MAX_BLOCK_ENTRIES // m)
        for start in range(0, n, step):
            stop = min(start + step, n)
            block = self.cost.block(start, stop)[:, permutation]
            block -= self.solution.f[start:stop, None]
            block -= self.solution.g[permutation]
            smallest = np.minimum.reduceat(block, starts, axis=1)
            has_mass = self.row[start:stop] >= 0
            yield self.row[start:stop][has_mass], np.maximum(smallest[has_mass], 0.0)

    def _sums(self, of_pairs: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self.row[self.solution.rows], of_pairs, self.count)
        return sums.astype(np.float64, copy=False)
