"""Derive costs, solutions and scores at one s from those at another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import MAX_BLOCK_ENTRIES, Cost
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.solvers.solution import Solution

MISFIT = 1e-10
"""The largest relative error of a shifted cost."""

_MAX_SAMPLES = 50


@dataclass(frozen=True, eq=False)
class CostShift:
    """A change of costs: C'_ij = factor × C_ij + r_i + c_j.

    Attributes
    ----------
    factor : float
        Positive.
    row_terms : ndarray, shape (n,)
        The terms r_i.
    column_terms : ndarray, shape (m,)
        The terms c_j.
    """

    factor: float
    row_terms: NDArray[np.float64]
    column_terms: NDArray[np.float64]

    @classmethod
    def between(cls, before: Cost, after: Cost, factor: float) -> CostShift | None:
        """Find the terms r and c for which after_ij = factor × before_ij + r_i + c_j.

        Parameters
        ----------
        before, after : Cost, shape (n, m)
        factor : float
            Positive.

        Returns
        -------
        CostShift or None
            None if no such terms are found. The terms are tested on a sample of pairs only.
        """
        n, m = after.shape

        def changes(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
            return after.at(rows, columns) - factor * before.at(rows, columns)

        all_rows, all_columns = np.arange(n), np.arange(m)
        row_terms = changes(all_rows, np.zeros(n, dtype=np.intp))
        column_terms = changes(np.zeros(m, dtype=np.intp), all_columns) - row_terms[0]
        shift = cls(factor, row_terms, column_terms)
        sampled_rows, sampled_columns = (
            all_rows[:: -(-n // _MAX_SAMPLES)],
            all_columns[:: -(-m // _MAX_SAMPLES)],
        )
        rows = np.repeat(sampled_rows, len(sampled_columns))
        columns = np.tile(sampled_columns, len(sampled_rows))
        fits = _fits(
            factor * before.at(rows, columns),
            after.at(rows, columns),
            row_terms[rows],
            column_terms[columns],
        )
        return shift if fits else None

    def holds(self, before: Cost, after: Cost) -> bool:
        """Whether after_ij = factor × before_ij + r_i + c_j for all pairs, up to rounding.

        Parameters
        ----------
        before, after : Cost, shape (n, m)

        Returns
        -------
        bool
        """
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

    def solution(self, solution: Solution) -> Solution:
        """Return the solution with potentials for the changed costs.

        Its certificate is still the one for the old costs.

        Parameters
        ----------
        solution : Solution

        Returns
        -------
        Solution
        """
        return replace(
            solution,
            f=self.factor * solution.f + self.row_terms,
            g=self.factor * solution.g + self.column_terms,
        )

    def scores(self, solution: Solution, rows: Scores, columns: Scores) -> tuple[Scores, Scores]:
        """Convert scores for the old costs to scores for the changed costs.

        Parameters
        ----------
        solution : Solution
            Solution for the old costs.
        rows, columns : Scores
            Scores for the old costs.

        Returns
        -------
        tuple of Scores
            Scores of the rows and of the columns.
        """
        return (
            self._scores(rows, self.row_terms, solution.rows),
            self._scores(columns, self.column_terms, solution.columns),
        )

    def _scores(
        self, scores: Scores, terms: NDArray[np.float64], massive: NDArray[np.intp]
    ) -> Scores:
        # A point's score changes by its term, less the mean term of the other points with mass.
        has_mass = np.zeros(len(terms), dtype=bool)
        has_mass[massive] = True
        size = int(has_mass.sum())
        above_others = terms - terms[has_mass].mean()
        # n / (n − 1) turns the mean over all points into the mean over the others.
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
    """Whether after = before + row_terms + column_terms, up to rounding."""
    size = np.abs(before) + np.abs(after) + np.abs(row_terms) + np.abs(column_terms)
    misfit = np.abs(after - before - row_terms - column_terms)
    return bool((misfit <= MISFIT * size).all())
