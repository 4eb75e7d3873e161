"""Costs at one s from those at another, where both measures were pushed to one reference point.

Then C_ij(s) = (1 − s)/(1 − s') C_ij(s') + r_i + c_j, so that what is optimal at s' is so at s.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Cost
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.solvers.solution import Solution

MISFIT = 1e-6
"""As a share of the largest cost looked at: a sample that misses by more is of other costs."""

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
        some_rows, some_columns = (
            every_row[:: -(-n // _SAMPLED)],
            every_column[:: -(-m // _SAMPLED)],
        )
        rows = np.repeat(some_rows, len(some_columns))
        columns = np.tile(some_columns, len(some_rows))
        misfit = np.abs(changes(rows, columns) - row_terms[rows] - column_terms[columns]).max()
        if not misfit <= MISFIT * np.abs(after.at(rows, columns)).max():
            return None
        return cls(factor, row_terms, column_terms)

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
