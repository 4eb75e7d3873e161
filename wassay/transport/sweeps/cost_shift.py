"""Costs at one s from those at another, where both measures were pushed to one reference point.

For p = 2 it is C_ij(s) = (1 − s)/(1 − s') C_ij(s') + r_i + c_j, so that what is optimal at s' is so
at s.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import MAX_BLOCK_ENTRIES, Cost
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.solvers.solution import Solution

MISFIT = 1e-10
"""As a share of what a cost is the sum of: one that misses by more is another."""

_SAMPLED = 50


@dataclass(frozen=True, eq=False)
class Shift:
    """How costs change: times a positive factor, plus a term for each row and each column."""

    factor: float
    row_terms: NDArray[np.float64]
    column_terms: NDArray[np.float64]

    @classmethod
    def between(cls, before: Cost, after: Cost, factor: float) -> Shift | None:
        """The terms, from one row and one column; None where a sample of pairs belies them."""
        n, m = after.shape

        def changes(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
            return after.at(rows, columns) - factor * before.at(rows, columns)

        every_row, every_column = np.arange(n), np.arange(m)
        row_terms = changes(every_row, np.zeros(n, dtype=np.intp))
        column_terms = changes(np.zeros(m, dtype=np.intp), every_column) - row_terms[0]
        shift = cls(factor, row_terms, column_terms)
        some_rows, some_columns = (
            every_row[:: -(-n // _SAMPLED)],
            every_column[:: -(-m // _SAMPLED)],
        )
        rows = np.repeat(some_rows, len(some_columns))
        columns = np.tile(some_columns, len(some_rows))
        fits = _fits(
            factor * before.at(rows, columns),
            after.at(rows, columns),
            row_terms[rows],
            column_terms[columns],
        )
        return shift if fits else None

    def holds(self, before: Cost, after: Cost) -> bool:
        """Whether all pairs change so: a proof of a plan does not tell, but scores need it."""
        n, m = after.shape
        height = max(1, MAX_BLOCK_ENTRIES // m)
        return all(
            _fits(
                self.factor * before.block(start, start + height),
                after.block(start, start + height),
                self.row_terms[start : start + height, None],
                self.column_terms,
            )
            for start in range(0, n, height)
        )

    def solution(self, of: Solution) -> Solution:
        """The solution after the change, whose certificate is still the one before it."""
        return replace(
            of,
            f=self.factor * of.f + self.row_terms,
            g=self.factor * of.g + self.column_terms,
        )

    def scores(self, of: Solution, rows: Scores, columns: Scores) -> tuple[Scores, Scores]:
        """Scores after the change: they are linear in the potentials and the reduced costs."""
        return (
            self._scores(rows, self.row_terms, of.rows),
            self._scores(columns, self.column_terms, of.columns),
        )

    def _scores(
        self, scores: Scores, terms: NDArray[np.float64], massive: NDArray[np.intp]
    ) -> Scores:
        has_mass = np.zeros(len(terms), dtype=bool)
        has_mass[massive] = True
        size = int(has_mass.sum())
        above_others = terms - terms[has_mass].mean()
        # A point with mass is compared with all others, of which it is not one.
        above_others[has_mass] *= size / (size - 1) if size > 1 else 0.0
        return Scores(
            self.factor * scores.values + above_others, self.factor * scores.spread, scores.method
        )


def _fits(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    row_terms: NDArray[np.float64],
    column_terms: NDArray[np.float64],
) -> bool:
    """Whether costs are the scaled ones before plus their terms, up to rounding."""
    size = np.abs(before) + np.abs(after) + np.abs(row_terms) + np.abs(column_terms)
    misfit = np.abs(after - before - row_terms - column_terms)
    return bool((misfit <= MISFIT * size).all())
