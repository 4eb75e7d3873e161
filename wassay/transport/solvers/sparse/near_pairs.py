"""Pairs that are cheap for one problem's potentials, and what they prove of its neighbours'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.dual_feasibility import Inspection, Question, inspect
from wassay.transport.solvers.entropic.sparse_sinkhorn import sparse_sinkhorn
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared import Blocks, PreparedCost
from wassay.transport.solvers.problem import Problem
from wassay.transport.solvers.sparse.column_generation import Search

PAIRS_A_POINT = 48
"""About so many are listed for every point. Of 12 sellers each left out, potentials differ from
those of all together by as much as the reduced cost of the first 30 to 45."""

CLOSE_A_POINT = 32
"""Among so many of these Sinkhorn's iteration goes on."""

LIKELY_A_POINT = 12
"""So many are solved over at first."""

MOST_MOVED = 32
"""So many columns, and at most so many rows, are looked at whole: a point that nobody but the
seller left out was near to moves farther than all others."""

_SAMPLED_ROWS, _SAMPLED_COLUMNS = 50, 1000
_ROUNDING = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class _Found:
    """What one block of rows has."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    costs: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NearPairs:
    """All pairs whose reduced cost is below a limit.

    Potentials of a problem with other weights over the same costs are inspected on these alone
    where they are near enough: a pair that is not listed costs at least limit + f_i + g_j.

    Attributes
    ----------
    pairs : Plan
        By ascending row and column. What they carry is nothing.
    costs : ndarray, shape (l,)
        Theirs.
    close : ndarray of int
        Places of those that are close enough to carry mass in another problem.
    f, g : ndarray, shapes (n,) and (m,)
        Feasible potentials that costs are reduced by.
    limit : float
        Reduced costs of all other pairs are at least so large.
    """

    pairs: Plan
    costs: NDArray[np.float64]
    close: NDArray[np.intp]
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    limit: float

    @classmethod
    def listed(
        cls,
        cost: PreparedCost,
        f: NDArray[np.float64],
        g: NDArray[np.float64],
    ) -> NearPairs:
        """List them in one pass over all pairs."""
        limit = _limit(cost, f, g)

        def near(blocks: Blocks[np.float64]) -> list[_Found]:
            found = []
            for start, stop, block in blocks:
                reduced = block - g
                reduced -= f[start:stop, None]
                places = np.flatnonzero(reduced < limit)
                rows, columns = np.divmod(places, block.shape[1])
                costs = block.ravel()[places]
                found.append(_Found(rows + start, columns, costs))
            return found

        parts = [part for stretch in cost.exactly(near) for part in stretch]
        costs = np.concatenate([part.costs for part in parts])
        pairs = Plan(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.columns for part in parts]),
            np.zeros_like(costs),
        )
        reduced = costs - f[pairs.rows] - g[pairs.columns]
        close = np.flatnonzero(reduced <= _lowest(reduced, CLOSE_A_POINT * sum(cost.shape)))
        # What subtracting rounds away is not proven.
        rounding = _ROUNDING * float(np.abs(f).max() + np.abs(g).max())
        return cls(pairs, costs, close, f, g, limit - rounding)

    def search(self, problem: Problem, epsilon: float) -> Search:
        """The search for a problem's optimum over the same costs; ε as it was for the mean."""
        pairs, costs = self.pairs.only(self.close), self.costs[self.close]
        f, g = sparse_sinkhorn(problem, pairs, costs, self.f, self.g, epsilon)
        rows, columns = pairs.rows, pairs.columns
        reduced = costs - f[rows] - g[columns]
        reduced[(problem.row_weights[rows] == 0) | (problem.column_weights[columns] == 0)] = np.inf
        likely = np.flatnonzero(reduced <= _lowest(reduced, LIKELY_A_POINT * (len(f) + len(g))))
        return Search(problem, pairs.only(likely), f, g)

    def inspect(self, cost: PreparedCost, questions: Sequence[Question]) -> list[Inspection]:
        """Inspect potentials, on all pairs only where the near ones do not say enough."""
        found = list(cost.threads.map(partial(self._inspection, cost), questions))
        unsettled = [place for place, inspection in enumerate(found) if inspection is None]
        answers = inspect(cost, [questions[place] for place in unsettled]) if unsettled else []
        settled = dict(zip(unsettled, answers, strict=True))
        return [inspection or settled[place] for place, inspection in enumerate(found)]

    def _inspection(self, cost: PreparedCost, question: Question) -> Inspection | None:
        """What near pairs prove; None where that may be too little though few of them offend."""
        from wassay.transport.solvers.sparse.reduced_costs import lower_to_listed

        a, b = question.problem.row_weights > 0, question.problem.column_weights > 0
        # Points without mass bind nobody.
        f, g = np.where(a, question.f, -np.inf), np.where(b, question.g, -np.inf)
        moved_rows, moved_columns = self._moved(f, g)
        rows, columns, costs = self._looked_at(cost, moved_rows, moved_columns)
        near_f, near_g = np.full_like(f, np.inf), np.full_like(g, np.inf)
        least = lower_to_listed(rows, columns, costs, f, g, near_f, near_g)
        far_f = self.limit + self.f + (self.g - g)[~moved_columns].min()
        far_g = self.limit + self.g + (self.f - f)[~moved_rows].min()
        far_f[moved_rows], far_g[moved_columns] = np.inf, np.inf
        row_is_open = np.where(a, question.f, near_f) > far_f
        column_is_open = np.where(b, question.g, near_g) > far_g
        if (row_is_open.any() or column_is_open.any()) and question.allows(-least):
            return None
        offending = costs - f[rows] - g[columns] < question.level
        found = Inspection.of(
            question,
            np.minimum(near_f, far_f),
            np.minimum(near_g, far_g),
            rows[offending],
            columns[offending],
        )
        return replace(
            found,
            f=np.where(~a & row_is_open, np.inf, found.f),
            g=np.where(~b & column_is_open, np.inf, found.g),
        )

    def _moved(
        self, f: NDArray[np.float64], g: NDArray[np.float64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The few rows and columns that rose so much that pairs which are not listed may matter."""
        rise = g - self.g
        usual = -_lowest(-rise, min(MOST_MOVED + 1, len(rise)))
        moved_columns, moved_rows = rise > usual, f - self.f > self.limit - usual
        if np.count_nonzero(moved_rows) > MOST_MOVED:
            moved_rows = np.zeros_like(moved_rows)
        return moved_rows, moved_columns

    def _looked_at(
        self,
        cost: PreparedCost,
        moved_rows: NDArray[np.bool_],
        moved_columns: NDArray[np.bool_],
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
        """The near pairs, and all of the rows and columns that moved."""
        n, m = len(moved_rows), len(moved_columns)
        few_rows, few_columns = np.flatnonzero(moved_rows), np.flatnonzero(moved_columns)
        rows = np.concatenate([np.repeat(few_rows, m), np.tile(np.arange(n), len(few_columns))])
        columns = np.concatenate([np.tile(np.arange(m), len(few_rows)), np.repeat(few_columns, n)])
        return (
            np.concatenate([self.pairs.rows, rows]),
            np.concatenate([self.pairs.columns, columns]),
            np.concatenate([self.costs, cost.at(rows, columns)]),
        )


def _lowest(values: NDArray[np.float64], number: int) -> float:
    """The largest of so many of the lowest."""
    place = min(number, len(values)) - 1
    return float(np.partition(values, place)[place]) if len(values) else -np.inf


def _limit(cost: PreparedCost, f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """Below which about `PAIRS_A_POINT` are, judged from a sample of all pairs."""
    n, m = cost.shape
    rows = np.linspace(0, n - 1, min(n, _SAMPLED_ROWS)).astype(np.intp)
    columns = np.linspace(0, m - 1, min(m, _SAMPLED_COLUMNS)).astype(np.intp)
    rows, columns = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    reduced = cost.at(rows, columns) - f[rows] - g[columns]
    return float(np.quantile(reduced, min(PAIRS_A_POINT * (n + m) / (n * m), 1.0)))
