"""Low-cost pairs of one problem, which certify neighbouring problems without a full scan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.check_dual_feasibility import check_dual_feasibility
from wassay.transport.solvers.certify.dual_feasibility import DualFeasibility
from wassay.transport.solvers.certify.dual_potentials import DualPotentials
from wassay.transport.solvers.entropic.sparse_sinkhorn import sparse_sinkhorn
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared_cost import Blocks, PreparedCost
from wassay.transport.solvers.sparse.column_generation import ColumnGeneration
from wassay.transport.solvers.sparse.pair_list import PairList
from wassay.transport.solvers.transport_problem import TransportProblem

# With 12 sellers, leaving one out moves potentials by about the reduced cost of a point's 30th to
# 45th cheapest pair.
PAIRS_PER_POINT = 48
"""Approximate number of pairs stored per point."""

CLOSE_PER_POINT = 32
"""Number of pairs per point on which Sinkhorn's iteration continues."""

INITIAL_PER_POINT = 12
"""Number of pairs per point in the first pair list."""

# A potential changes more than others if all nearest partners of its point belong to the seller
# that is left out.
MAX_MOVED = 32
"""At most this many columns, and at most this many rows, are scanned completely."""

_SAMPLED_ROWS, _SAMPLED_COLUMNS = 50, 1000
_ROUNDING = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class _BlockPairs:
    """The low-cost pairs of one block of rows."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    costs: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NearPairs:
    """All pairs whose reduced cost C_ij − f_i − g_j is below a limit.

    Attributes
    ----------
    pairs : Plan
        Sorted by row and column; their mass is zero.
    costs : ndarray, shape (l,)
        Costs of the pairs.
    close : ndarray of int
        Indices into `pairs`: those with the lowest reduced costs, about `CLOSE_PER_POINT` a point.
    f, g : ndarray, shapes (n,) and (m,)
        The potentials of the rows and columns.
    limit : float
        Lower bound on the reduced cost of every other pair.
    """

    pairs: Plan
    costs: NDArray[np.float64]
    close: NDArray[np.intp]
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    limit: float

    @classmethod
    def collect(
        cls,
        cost: PreparedCost,
        f: NDArray[np.float64],
        g: NDArray[np.float64],
    ) -> NearPairs:
        """Scan all costs once, and collect the pairs with low reduced costs."""
        limit = _limit(cost, f, g)

        def near(blocks: Blocks[np.float64]) -> list[_BlockPairs]:
            pairs_of_blocks = []
            for start, stop, block in blocks:
                reduced = block - g
                reduced -= f[start:stop, None]
                indices = np.flatnonzero(reduced < limit)
                rows, columns = np.divmod(indices, block.shape[1])
                costs = block.ravel()[indices]
                pairs_of_blocks.append(_BlockPairs(rows + start, columns, costs))
            return pairs_of_blocks

        collected = [block_pairs for strip in cost.map_blocks(near) for block_pairs in strip]
        costs = np.concatenate([block_pairs.costs for block_pairs in collected])
        pairs = Plan(
            np.concatenate([block_pairs.rows for block_pairs in collected]),
            np.concatenate([block_pairs.columns for block_pairs in collected]),
            np.zeros_like(costs),
        )
        reduced = costs - f[pairs.rows] - g[pairs.columns]
        close = np.flatnonzero(reduced <= _nth_lowest(reduced, CLOSE_PER_POINT * sum(cost.shape)))
        # Lower the bound by the rounding error of the subtraction.
        rounding = _ROUNDING * float(np.abs(f).max() + np.abs(g).max())
        return cls(pairs, costs, close, f, g, limit - rounding)

    def column_generation(self, problem: TransportProblem, epsilon: float) -> ColumnGeneration:
        """Start column generation for a problem over the same costs.

        `epsilon` is the last ε of an entropic plan for similar weights.
        """
        pairs, costs = self.pairs.only(self.close), self.costs[self.close]
        listed = PairList(pairs.rows, pairs.columns, costs)
        sharper = sparse_sinkhorn(problem, listed, self.f, self.g, epsilon)
        f, g = sharper.f, sharper.g
        rows, columns = pairs.rows, pairs.columns
        reduced = costs - f[rows] - g[columns]
        reduced[(problem.row_weights[rows] == 0) | (problem.column_weights[columns] == 0)] = np.inf
        likely = np.flatnonzero(
            reduced <= _nth_lowest(reduced, INITIAL_PER_POINT * (len(f) + len(g)))
        )
        return ColumnGeneration(problem, pairs.only(likely), f, g, costs=costs[likely])

    def check(self, cost: PreparedCost, batch: Sequence[DualPotentials]) -> list[DualFeasibility]:
        """Check dual feasibility.

        All pairs are scanned only for potentials that `_check_near` leaves undecided.
        """
        results = list(cost.threads.map(partial(self._check_near, cost), batch))
        undecided = [index for index, feasibility in enumerate(results) if feasibility is None]
        checked = (
            check_dual_feasibility(cost, [batch[index] for index in undecided]) if undecided else []
        )
        decided = dict(zip(undecided, checked, strict=True))
        return [feasibility or decided[index] for index, feasibility in enumerate(results)]

    def _check_near(self, cost: PreparedCost, potentials: DualPotentials) -> DualFeasibility | None:
        """Check dual feasibility on the near pairs, and on all pairs of a few points.

        Return None if these pairs do not decide.
        """
        from wassay.transport.solvers.sparse.reduced_costs import lower_to_pairs

        a, b = potentials.problem.row_weights > 0, potentials.problem.column_weights > 0
        # A point without mass does not limit the potentials of the other side.
        f, g = np.where(a, potentials.f, -np.inf), np.where(b, potentials.g, -np.inf)
        moved_rows, moved_columns = self._moved(f, g)
        rows, columns, costs = self._scanned_pairs(cost, moved_rows, moved_columns)
        near_f, near_g = np.full_like(f, np.inf), np.full_like(g, np.inf)
        minimum = lower_to_pairs(rows, columns, costs, f, g, near_f, near_g)
        far_f = self.limit + self.f + (self.g - g)[~moved_columns].min()
        far_g = self.limit + self.g + (self.f - f)[~moved_rows].min()
        far_f[moved_rows], far_g[moved_columns] = np.inf, np.inf
        row_is_open = np.where(a, potentials.f, near_f) > far_f
        column_is_open = np.where(b, potentials.g, near_g) > far_g
        if (row_is_open.any() or column_is_open.any()) and potentials.tolerates(-minimum):
            return None
        violated = costs - f[rows] - g[columns] < potentials.level
        feasibility = DualFeasibility.from_c_transforms(
            potentials,
            np.minimum(near_f, far_f),
            np.minimum(near_g, far_g),
            rows[violated],
            columns[violated],
        )
        return replace(
            feasibility,
            f=np.where(~a & row_is_open, np.inf, feasibility.f),
            g=np.where(~b & column_is_open, np.inf, feasibility.g),
        )

    def _moved(
        self, f: NDArray[np.float64], g: NDArray[np.float64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Choose a few points whose potentials rose most above `self.f` and `self.g`.

        Return masks of the rows and of the columns of which to scan all pairs. `f` and `g` are the
        potentials to check.
        """
        # The columns are those whose potentials rose most.
        rise = g - self.g
        highest_unmoved = -_nth_lowest(-rise, min(MAX_MOVED + 1, len(rise)))
        moved_columns = rise > highest_unmoved
        # The rows are those that may have violated pairs outside the near pairs and these columns.
        moved_rows = f - self.f > self.limit - highest_unmoved
        if np.count_nonzero(moved_rows) > MAX_MOVED:
            moved_rows = np.zeros_like(moved_rows)
        return moved_rows, moved_columns

    def _scanned_pairs(
        self,
        cost: PreparedCost,
        moved_rows: NDArray[np.bool_],
        moved_columns: NDArray[np.bool_],
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
        """Return rows, columns and costs of the near pairs, and of all pairs of moved points."""
        n, m = len(moved_rows), len(moved_columns)
        few_rows, few_columns = np.flatnonzero(moved_rows), np.flatnonzero(moved_columns)
        rows = np.concatenate([np.repeat(few_rows, m), np.tile(np.arange(n), len(few_columns))])
        columns = np.concatenate([np.tile(np.arange(m), len(few_rows)), np.repeat(few_columns, n)])
        return (
            np.concatenate([self.pairs.rows, rows]),
            np.concatenate([self.pairs.columns, columns]),
            np.concatenate([self.costs, cost.at(rows, columns)]),
        )


def _nth_lowest(values: NDArray[np.float64], number: int) -> float:
    """Return the `number`-th lowest value, or the largest of fewer values; −∞ for none."""
    index = min(number, len(values)) - 1
    return float(np.partition(values, index)[index]) if len(values) else -np.inf


def _limit(cost: PreparedCost, f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """Estimate the reduced cost below which there are `PAIRS_PER_POINT` pairs per point."""
    n, m = cost.shape
    rows = np.linspace(0, n - 1, min(n, _SAMPLED_ROWS)).astype(np.intp)
    columns = np.linspace(0, m - 1, min(m, _SAMPLED_COLUMNS)).astype(np.intp)
    rows, columns = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    reduced = cost.at(rows, columns) - f[rows] - g[columns]
    return float(np.quantile(reduced, min(PAIRS_PER_POINT * (n + m) / (n * m), 1.0)))
