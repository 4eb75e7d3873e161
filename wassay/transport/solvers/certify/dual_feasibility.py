"""Looking at all pairs: reduced costs, what is left of C_ij once potentials are taken off."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import ROUNDING_OF_FLOAT32, Real
from wassay.transport.solvers.prepared import Blocks, PreparedCost
from wassay.transport.solvers.problem import Problem

OFFENDERS_A_POINT = 20
"""How many violated pairs are reported, for each point of the larger side; the worst of a block."""

SHARE_FOR_ERROR = 1 / 20
"""Of the gap that is allowed, so much may come from looking at costs in float32."""

_SUBTRACTIONS = 4
_ROUNDING_OF_SUMS = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Question:
    """Potentials to be inspected.

    Attributes
    ----------
    problem : Problem
    f, g : ndarray, shapes (n,) and (m,)
    primal : float
        Cost of some plan.
    level : float
        Pairs whose reduced cost is below it are reported.
    """

    problem: Problem
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    primal: float
    level: float

    def in_float32(self) -> Question:
        """The potentials as float32 has them."""
        near, far = self.f.astype(np.float32), self.g.astype(np.float32)
        return replace(self, f=near.astype(np.float64), g=far.astype(np.float64))

    def allows(self, violation: float) -> bool:
        """Whether the gap may be small enough although every pair violates by so much."""
        return violation <= self.problem.allowed(self.primal)

    def error_in_float32(self) -> float:
        """How far reduced costs in float32 may be off; infinite where that is too much."""
        error = _SUBTRACTIONS * ROUNDING_OF_FLOAT32 * (1 + _size(self.f, self.g))
        error += self.problem.cost.rough_error()
        allowed = SHARE_FOR_ERROR * self.problem.tolerance * abs(self.primal)
        return error if error <= allowed else math.inf


@dataclass(frozen=True, eq=False)
class Inspection:
    """What one pass over all pairs says of potentials.

    Attributes
    ----------
    f, g : ndarray, shapes (n,) and (m,)
        Feasible: the given ones, one of them replaced by the c-transform of the other, whichever
        gives more. Those of points without mass are what mass would cost there; infinite where
        that was not looked at.
    dual : float
        Their value, a lower bound of every plan's cost. Constant potentials are feasible too, so
        it is at least the costs' own lower bound.
    violation : float
        Largest f_i + g_j − C_ij of the given potentials.
    rows, columns : ndarray of int
        Pairs with C_ij − f_i − g_j below the asked level, the worst of every block.
    """

    f: NDArray[np.float64]
    g: NDArray[np.float64]
    dual: float
    violation: float
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]

    @classmethod
    def of(
        cls,
        question: Question,
        best_f: NDArray[np.float64],
        best_g: NDArray[np.float64],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
    ) -> Inspection:
        """What follows from the c-transforms of both sides.

        Parameters
        ----------
        question : Question
        best_f, best_g : ndarray, shapes (n,) and (m,)
            min_j (C_ij − g_j) and min_i (C_ij − f_i) over the points with mass, or less.
        rows, columns : ndarray of int
        """
        f, g = question.f, question.g
        a, b = question.problem.row_weights, question.problem.column_weights
        by_rows, by_columns = float(a @ best_f + b @ g), float(a @ f + b @ best_g)
        rounded = rounding_of(f, g)
        transformed_rows = by_rows > by_columns
        return cls(
            best_f if transformed_rows else np.where(a > 0, f, best_f),
            np.where(b > 0, g, best_g) if transformed_rows else best_g,
            max(max(by_rows, by_columns) - rounded, question.problem.cost.lowest),
            float((f - best_f)[a > 0].max()),
            rows,
            columns,
        )


Inspecting: TypeAlias = Callable[[PreparedCost, Sequence[Question]], list[Inspection]]
"""Who inspects the questions of problems over the same costs: `inspect`, or a shorter way."""


@dataclass(frozen=True, eq=False)
class _Look:
    """What one stretch of rows says."""

    row_least: NDArray[np.float64]
    column_least: NDArray[np.float64]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


def inspect(cost: PreparedCost, questions: Sequence[Question]) -> list[Inspection]:
    """Take potentials off all costs, those of all questions in one pass.

    Where a few of float32's errors are small beside the gap that is allowed, they are taken off the
    potentials instead of looking at costs in float64.

    Parameters
    ----------
    cost : PreparedCost
        Of the questions' problems.
    questions : sequence of Question
    """
    errors = [question.error_in_float32() for question in questions]
    if math.isinf(max(errors)):
        errors = [0.0] * len(questions)
        stretches = cost.exactly(lambda blocks: _looks(blocks, questions, np.float64))
    else:
        questions = [question.in_float32() for question in questions]
        stretches = cost.roughly(lambda blocks: _looks(blocks, questions, np.float32))
    tallies = [_Tally(question, error) for question, error in zip(questions, errors, strict=True)]
    for looks in stretches:
        for tally, look in zip(tallies, looks, strict=True):
            tally.add(look)
    return [tally.inspection() for tally in tallies]


class _Tally:
    """What the looks at one stretch after another add up to, none of which is kept."""

    def __init__(self, question: Question, error: float) -> None:
        self._question = question
        self._error = error
        self._row_least: list[NDArray[np.float64]] = []
        self._column_least = np.full(len(question.g), np.inf)
        self._rows: list[NDArray[np.intp]] = []
        self._columns: list[NDArray[np.intp]] = []

    def add(self, look: _Look) -> None:
        """Add the next stretch's."""
        self._row_least.append(look.row_least)
        np.minimum(self._column_least, look.column_least, out=self._column_least)
        self._rows.append(look.rows)
        self._columns.append(look.columns)

    def inspection(self) -> Inspection:
        """What all of them say."""
        return Inspection.of(
            self._question,
            np.concatenate(self._row_least) - self._error,
            self._column_least - self._error,
            np.concatenate(self._rows),
            np.concatenate(self._columns),
        )


def _looks(blocks: Blocks[Real], questions: Sequence[Question], real: type[Real]) -> list[_Look]:
    looking = [_Looking(question, real) for question in questions]
    for start, stop, block in blocks:
        reduced = np.empty_like(block)
        for each in looking:
            each.look(start, stop, block, reduced)
    return [each.seen() for each in looking]


class _Looking(Generic[Real]):
    """One question's look at the blocks of a stretch, one after the other."""

    def __init__(self, question: Question, real: type[Real]) -> None:
        problem = question.problem
        # Points without mass bind nobody.
        self._f: NDArray[Real] = np.where(problem.row_weights > 0, question.f, -np.inf).astype(real)
        self._g: NDArray[Real] = np.where(problem.column_weights > 0, question.g, -np.inf).astype(
            real
        )
        self._level = question.level
        self._column_least: NDArray[Real] = np.full(len(self._g), np.inf, dtype=real)
        self._row_least: list[NDArray[Real]] = []
        self._rows: list[NDArray[np.intp]] = []
        self._columns: list[NDArray[np.intp]] = []

    def look(self, start: int, stop: int, block: NDArray[Real], reduced: NDArray[Real]) -> None:
        """Look at a block; the other array, of its shape, is for working in."""
        f = self._f[start:stop]
        np.subtract(block, f[:, None], out=reduced)
        np.minimum(self._column_least, reduced.min(axis=0), out=self._column_least)
        reduced -= self._g
        least = reduced.min(axis=1)
        offending = np.flatnonzero(least < self._level)
        most = math.ceil(OFFENDERS_A_POINT * len(offending) * max(1.0, len(self._g) / len(self._f)))
        rows, columns = _worst(reduced[offending], self._level, most)
        self._rows.append(offending[rows] + start)
        self._columns.append(columns)
        massless = np.isneginf(f)
        if massless.any():
            least[massless] = (block[massless] - self._g).min(axis=1)
            f = np.where(massless, 0, f)
        self._row_least.append(least + f)

    def seen(self) -> _Look:
        return _Look(
            np.concatenate(self._row_least).astype(np.float64),
            self._column_least.astype(np.float64),
            np.concatenate(self._rows),
            np.concatenate(self._columns),
        )


def _worst(
    reduced: NDArray[Real], level: float, most: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The worst of the pairs below the level, no more than so many."""
    below = np.flatnonzero(reduced < level)
    if len(below) > most:
        values = reduced.ravel()[below]
        below = below[np.argpartition(values, most)[:most]]
    return np.divmod(below, reduced.shape[1])


def rounding_of(f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """What large potentials, and sums of them, round away, and do therefore not prove."""
    return _ROUNDING_OF_SUMS * _size(f, g)


def _size(f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """How large potentials are, which their rounding is relative to."""
    return float(np.abs(f).max()) + float(np.abs(g).max())
