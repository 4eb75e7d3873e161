"""Connected components of an optimal plan: within one, a single potential determines all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from wassay.transport.costs.cost import MAX_BLOCK_ENTRIES, Cost
from wassay.transport.scoring.arcs import Arcs
from wassay.transport.solvers.solution import Solution
from wassay.transport.solvers.solve import MAX_DENSE_PAIRS

MIN_SHARE = 1e-10
"""Pairs with less than this share of both points' mass are rounding errors, and do not connect."""

MAX_SCATTERED = 1 / 4
"""Above this share of rows and columns, reading all costs in their order is faster."""

_Select: TypeAlias = Callable[
    [NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]], NDArray[np.intp]
]
"""Takes indices of rows and columns and their costs; returns flat indices into these costs."""


@dataclass(frozen=True, eq=False)
class PlanComponents:
    """Connected components of the bipartite graph of a plan's pairs.

    Pairs that carry only rounding errors do not connect.

    Attributes
    ----------
    cost : Cost
    solution : Solution
    count : int
        Number of components.
    of_rows, of_columns : ndarray of int, shapes (n,) and (m,)
        The component of each point; −1 for points without mass.
    """

    cost: Cost
    solution: Solution
    count: int
    of_rows: NDArray[np.intp]
    of_columns: NDArray[np.intp]

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
        """Return the mass of each component, shape (count,)."""
        return self._sums(self.solution.mass)

    def cost_per_mass(self) -> NDArray[np.float64]:
        """Return the cost of each component per unit of its mass, shape (count,)."""
        solution = self.solution
        entries = self.cost.at(solution.rows, solution.columns)
        return self._sums(entries * solution.mass) / self.mass()

    def arcs_between(self) -> NDArray[np.float64]:
        """Return the smallest reduced cost from each component to each other, shape (count, count).

        Entry (i, k) is the minimum over the rows of component i and the columns of component k.
        """
        between = np.full((self.count, self.count), np.inf)
        f, g = self.solution.f, self.solution.g
        # So few pairs are not worth loading compiled code.
        if self.of_rows.size * self.of_columns.size <= MAX_DENSE_PAIRS:
            reduced = self.cost.block(0, len(f)) - f[:, None] - g
            pairs = np.ix_(self.of_rows >= 0, self.of_columns >= 0)
            ends = self.of_rows[self.of_rows >= 0, None], self.of_columns[self.of_columns >= 0]
            np.minimum.at(between, ends, np.maximum(reduced[pairs], 0.0))
            return between
        from wassay.transport.scoring.pair_loops import lower_to_block

        g = np.where(self.of_columns >= 0, g, -np.inf)
        for rows, block in _blocks(self.cost):
            lower_to_block(between, block, f[rows], g, self.of_rows[rows], self.of_columns)
        return between

    def cheap_arcs(self, number: int) -> Arcs:
        """Return cheap arcs: up to `number` out of each row, and up to `number` into each column.

        Arcs within one component are left out.
        """
        from wassay.transport.scoring.pair_loops import cheapest_by_stripe

        # One arc joins each point to each of `number` stripes of the other side: point i belongs to
        # stripe i mod `number`.
        n, m = self.cost.shape
        from_rows, to_columns = np.full((n, number), np.inf), np.full((number, m), np.inf)
        heads, tails = np.zeros((n, number), np.intp), np.zeros((number, m), np.intp)
        f, g = self.solution.f, self.solution.g
        for rows, block in _blocks(self.cost):
            cheapest_by_stripe(
                block,
                rows.start,
                f,
                g,
                self.of_rows,
                self.of_columns,
                from_rows,
                heads,
                to_columns,
                tails,
            )
        out, into = np.isfinite(from_rows), np.isfinite(to_columns)
        return Arcs(
            self.of_rows[np.concatenate([np.nonzero(out)[0], tails[into]])],
            self.of_columns[np.concatenate([heads[out], np.nonzero(into)[1]])],
            np.maximum(np.concatenate([from_rows[out], to_columns[into]]), 0.0),
        )

    def shortening_arcs(
        self,
        away: NDArray[np.float64],
        back: NDArray[np.float64],
        rounding: float,
        tails: NDArray[np.bool_],
        heads: NDArray[np.bool_],
    ) -> Arcs:
        """Return the arcs that shorten a known path by more than its rounding error.

        Arcs that neither leave `tails` nor enter `heads` may be left out.

        Parameters
        ----------
        away, back : ndarray, shapes (l, count)
            Lengths of the known paths from l components to all components, and of the paths back.
        rounding : float
            Rounding error of a path's length, in units of the cost.
        tails, heads : ndarray of bool, shape (count,)
            Masks of components.

        Returns
        -------
        Arcs
        """
        from wassay.transport.scoring.pair_loops import shortening_pairs, still_shortest

        f, g = self.solution.f, self.solution.g
        potential = np.concatenate([away, -back]).T.copy()
        # An arc can shorten a path only if, for one of the l components, the distance grows by more
        # than the arc's length from its tail to its head. Minima and maxima over the l components
        # bound this growth. These bounds are tight after subtracting each component's mean
        # distance, because distances from two of the l components differ by about a constant.
        centred = [paths - paths.mean(axis=1, keepdims=True) for paths in (away, -back)]
        of_rows = [f - paths.min(axis=0)[self.of_rows] for paths in centred]
        of_columns = [g + paths.max(axis=0)[self.of_columns] + rounding for paths in centred]
        # Points without mass have no arcs.
        row_bounds = np.where(self.of_rows >= 0, of_rows, -np.inf)
        column_bounds = np.where(self.of_columns >= 0, of_columns, -np.inf)

        after_tail, before_head = back.argmin(axis=0), away.argmin(axis=0)

        def select(
            rows: NDArray[np.intp], columns: NDArray[np.intp], block: NDArray[np.float64]
        ) -> NDArray[np.intp]:
            return shortening_pairs(
                block,
                f[rows],
                g[columns],
                self.of_rows[rows],
                self.of_columns[columns],
                potential,
                after_tail,
                before_head,
                row_bounds[:, rows],
                column_bounds[:, columns],
                rounding,
            )

        of_tails, of_heads = tails[self.of_rows], heads[self.of_columns]
        every_row, every_column = np.ones_like(of_tails), np.ones_like(of_heads)
        parts = [(of_tails, every_column), (~of_tails, of_heads)]
        if of_tails.mean() + of_heads.mean() > MAX_SCATTERED:
            parts = [(every_row, every_column)]
        found = Arcs.joined(
            [
                self._selected(np.flatnonzero(rows), np.flatnonzero(columns), select)
                for rows, columns in parts
            ]
        )
        # Arcs that were found later have shorter paths than many that were found first.
        useful = still_shortest(found.tails, found.heads, found.lengths, potential)
        return found.only(useful)

    def arcs_at(self, chosen: NDArray[np.intp]) -> Arcs:
        """Return the cheapest arcs from the chosen components to each component, and back."""
        from wassay.transport.scoring.pair_loops import lower_to_block

        f, g = self.solution.f, self.solution.g
        place = np.full(self.count + 1, -1)  # the last entry is that of points without mass
        place[chosen] = np.arange(len(chosen))
        row_places, column_places = place[self.of_rows], place[self.of_columns]
        rows, columns = np.flatnonzero(row_places >= 0), np.flatnonzero(column_places >= 0)
        every_row, every_column = (
            np.flatnonzero(self.of_rows >= 0),
            np.flatnonzero(self.of_columns >= 0),
        )
        out = np.full((len(chosen), self.count), np.inf)
        for part, block in _blocks(self.cost.only(rows, every_column)):
            lower_to_block(
                out,
                block,
                f[rows[part]],
                g[every_column],
                row_places[rows[part]],
                self.of_columns[every_column],
            )
        into = np.full((self.count, len(chosen)), np.inf)
        for part, block in _blocks(self.cost.only(every_row, columns)):
            lower_to_block(
                into,
                block,
                f[every_row[part]],
                g[columns],
                self.of_rows[every_row[part]],
                column_places[columns],
            )
        every = np.arange(self.count)
        leaving = Arcs(np.repeat(chosen, self.count), np.tile(every, len(chosen)), out.ravel())
        entering = Arcs(np.repeat(every, len(chosen)), np.tile(chosen, self.count), into.ravel())
        return Arcs.joined([leaving, entering])

    def _selected(self, rows: NDArray[np.intp], columns: NDArray[np.intp], select: _Select) -> Arcs:
        """Return the arcs of the pairs that `select` chooses among these rows and columns."""
        if not (len(rows) and len(columns)):
            return Arcs.joined([])
        n, m = self.cost.shape
        cost = self.cost if (len(rows), len(columns)) == (n, m) else self.cost.only(rows, columns)
        f, g = self.solution.f, self.solution.g
        found = []
        for part, block in _blocks(cost):
            of_block = rows[part]
            row, column = np.divmod(select(of_block, columns, block), len(columns))
            i, j = of_block[row], columns[column]
            reduced = np.maximum(block[row, column] - f[i] - g[j], 0.0)
            found.append(Arcs(self.of_rows[i], self.of_columns[j], reduced))
        return Arcs.joined(found)

    def _sums(self, of_pairs: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self.of_rows[self.solution.rows], of_pairs, self.count)
        return sums.astype(np.float64, copy=False)


def _blocks(cost: Cost) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield blocks of rows: the range of the rows, and their costs."""
    n, m = cost.shape
    step = max(1, MAX_BLOCK_ENTRIES // m)
    for start in range(0, n, step):
        stop = min(start + step, n)
        yield slice(start, stop), cost.block(start, stop)
