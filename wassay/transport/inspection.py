"""Looking at all pairs: reduced costs, what is left of C_ij once potentials are taken off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.cost import ROUNDING_OF_FLOAT32, Real
from wassay.transport.prepared import Blocks
from wassay.transport.problem import Problem

OFFENDERS_A_ROW = 20
"""How many violated pairs of a block of rows are reported, for each of its rows."""

SHARE_FOR_ERROR = 1 / 20
"""Of the gap that is allowed, so much may come from looking at costs in float32."""

_SUBTRACTIONS = 4


@dataclass(frozen=True, eq=False)
class Inspection:
    """What one pass over all pairs says of potentials.

    Attributes
    ----------
    f, g : ndarray, shapes (n,) and (m,)
        Feasible: the given ones, one of them replaced by the c-transform of the other, whichever
        gives more.
    dual : float
        Their value, a lower bound of every plan's cost. Constant potentials are feasible too, so
        it is not below the cheapest pair.
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


@dataclass(frozen=True, eq=False)
class _Look:
    """What one stretch of rows says."""

    row_least: NDArray[np.float64]
    column_least: NDArray[np.float64]
    least_cost: float
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


def inspect(
    problem: Problem,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    primal: float,
    level: float,
) -> Inspection:
    """Take potentials off all costs, and report pairs whose reduced cost is below `level`.

    Where a few of float32's errors are small beside the gap that is allowed, they are taken off the
    potentials instead of looking at costs in float64.

    Parameters
    ----------
    problem : Problem
    f, g : ndarray, shapes (n,) and (m,)
    primal : float
        Cost of some plan.
    level : float
    """
    size = 1 + float(np.abs(f).max()) + float(np.abs(g).max())
    error = _SUBTRACTIONS * ROUNDING_OF_FLOAT32 * size
    allowed = SHARE_FOR_ERROR * problem.tolerance * abs(primal)
    if error <= allowed:  # what the costs themselves add may take a pass over them to know
        error += problem.cost.rough_error()
    if error > allowed:
        looks = problem.cost.exactly(lambda blocks: _look(blocks, f, g, level))
        return _taken_together(problem, f, g, looks, error=0.0)
    near, far = f.astype(np.float32), g.astype(np.float32)
    looks = problem.cost.roughly(lambda blocks: _look(blocks, near, far, level))
    return _taken_together(problem, near.astype(np.float64), far.astype(np.float64), looks, error)


def _taken_together(
    problem: Problem,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    looks: Iterator[_Look],
    error: float,
) -> Inspection:
    row_least, rows, columns = [], [], []
    column_least, least_cost = np.full(len(g), np.inf), np.inf
    for look in looks:
        np.minimum(column_least, look.column_least, out=column_least)
        least_cost = min(least_cost, look.least_cost)
        row_least.append(look.row_least)
        rows.append(look.rows)
        columns.append(look.columns)
    best_f, best_g = np.concatenate(row_least) - error, column_least - error
    a, b = problem.row_weights, problem.column_weights
    by_rows, by_columns = float(a @ best_f + b @ g), float(a @ f + b @ best_g)
    # What large potentials round away they do not prove.
    rounded = float(np.finfo(np.float64).eps) * (float(np.abs(f).max()) + float(np.abs(g).max()))
    return Inspection(
        best_f if by_rows > by_columns else f,
        g if by_rows > by_columns else best_g,
        max(max(by_rows, by_columns) - rounded, least_cost - error),
        float((f - best_f).max()),
        np.concatenate(rows),
        np.concatenate(columns),
    )


def _look(blocks: Blocks[Real], f: NDArray[Real], g: NDArray[Real], level: float) -> _Look:
    column_least = np.full(len(g), np.inf, dtype=g.dtype)
    least_cost = np.inf
    row_least, rows, columns = [], [], []
    for start, stop, block in blocks:
        least_cost = min(least_cost, float(block.min()))
        reduced = block - f[start:stop, None]
        np.minimum(column_least, reduced.min(axis=0), out=column_least)
        reduced -= g
        least = reduced.min(axis=1)
        row_least.append(f[start:stop] + least)
        offending = np.flatnonzero(least < level)
        own_rows, own_columns = _worst(reduced[offending], level)
        rows.append(offending[own_rows] + start)
        columns.append(own_columns)
    return _Look(
        np.concatenate(row_least).astype(np.float64),
        column_least.astype(np.float64),
        least_cost,
        np.concatenate(rows),
        np.concatenate(columns),
    )


def _worst(reduced: NDArray[Real], level: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs below the level, at most `OFFENDERS_A_ROW` times the number of rows."""
    below = np.flatnonzero(reduced < level)
    most = OFFENDERS_A_ROW * len(reduced)
    if len(below) > most:
        values = reduced.ravel()[below]
        below = below[np.argpartition(values, most)[:most]]
    return np.divmod(below, reduced.shape[1])
