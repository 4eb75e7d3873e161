"""Dual feasibility check: scan the reduced costs C_ij − f_i − g_j of all pairs.

The scan yields the c-transforms min_j (C_ij − g_j) and min_i (C_ij − f_i), which are feasible
potentials, their dual value, and the violated pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import ROUNDING_OF_FLOAT32, Real
from wassay.transport.costs.point_cost import Columns
from wassay.transport.solvers.prepared_cost import Panels, PreparedCost
from wassay.transport.solvers.transport_problem import TransportProblem

MAX_VIOLATED_PER_POINT = 20
"""Limit on the violated pairs reported per point of the larger side."""

FLOAT32_SHARE_OF_GAP = 1 / 20
"""Share of the allowed gap that a scan in float32 may use up."""

SLACK = 1e-6
"""Pairs are scanned if their reduced costs may be below this."""

_SUBTRACTIONS = 4
_ROUNDING_OF_SUMS = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class DualPotentials:
    """Potentials to check.

    Attributes
    ----------
    problem : TransportProblem
    f, g : ndarray, shapes (n,) and (m,)
    primal : float
        Cost of a feasible plan.
    level : float
        Pairs whose reduced cost is below this are reported as violated.
    """

    problem: TransportProblem
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    primal: float
    level: float

    def rounded_to_float32(self) -> DualPotentials:
        """Return the potentials rounded to float32."""
        f, g = self.f.astype(np.float32), self.g.astype(np.float32)
        return replace(self, f=f.astype(np.float64), g=g.astype(np.float64))

    def tolerates(self, violation: float) -> bool:
        """Whether the gap stays within tolerance even if every pair is violated by this much."""
        return violation <= self.problem.allowed_gap(self.primal)

    def float32_error(self) -> float:
        """Bound the error of reduced costs in float32; infinite if the error is too large."""
        error = _SUBTRACTIONS * ROUNDING_OF_FLOAT32 * (1 + _magnitude(self.f, self.g))
        error += self.problem.cost.float32_error()
        allowed = FLOAT32_SHARE_OF_GAP * self.problem.tolerance * abs(self.primal)
        return error if error <= allowed else math.inf


@dataclass(frozen=True, eq=False)
class DualFeasibility:
    """Feasible potentials, their value, and the pairs that the given potentials violate.

    Attributes
    ----------
    f, g : ndarray, shapes (n,) and (m,)
        Feasible potentials: the given ones of one side and the c-transform of the other; the side
        is chosen that gives the larger value. A point without mass has the cost of placing mass
        there, which is infinite if no pair of that point was scanned.
    dual : float
        Value of f and g, a lower bound on the cost of every plan. It is at least the smallest cost,
        which constant potentials certify.
    violation : float
        Largest f_i + g_j − C_ij of the given potentials.
    rows, columns : ndarray of int
        Pairs whose reduced cost is below the level; of every block only the most violated.
    """

    f: NDArray[np.float64]
    g: NDArray[np.float64]
    dual: float
    violation: float
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]

    @classmethod
    def from_c_transforms(
        cls,
        potentials: DualPotentials,
        row_transform: NDArray[np.float64],
        column_transform: NDArray[np.float64],
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
    ) -> DualFeasibility:
        """Take the c-transform of rows or of columns that gives the larger value.

        Parameters
        ----------
        potentials : DualPotentials
        row_transform, column_transform : ndarray, shapes (n,) and (m,)
            Lower bounds on min_j (C_ij − g_j) and min_i (C_ij − f_i) over the points with mass.
        rows, columns : ndarray of int
            Violated pairs.

        Returns
        -------
        DualFeasibility
        """
        f, g = potentials.f, potentials.g
        a, b = potentials.problem.row_weights, potentials.problem.column_weights
        by_rows, by_columns = float(a @ row_transform + b @ g), float(a @ f + b @ column_transform)
        error = rounding_error(f, g)
        transformed_rows = by_rows > by_columns
        return cls(
            row_transform if transformed_rows else np.where(a > 0, f, row_transform),
            np.where(b > 0, g, column_transform) if transformed_rows else column_transform,
            max(max(by_rows, by_columns) - error, potentials.problem.cost.lowest),
            float((f - row_transform)[a > 0].max()),
            rows,
            columns,
        )


FeasibilityCheck: TypeAlias = Callable[
    [PreparedCost, Sequence[DualPotentials]], list[DualFeasibility]
]
"""Checks potentials over the same costs: `check_dual_feasibility` or a cheaper equivalent."""


@dataclass(frozen=True, eq=False)
class _StripScan:
    """Minima and violated pairs of one strip of rows."""

    row_minima: NDArray[np.float64]
    column_minima: NDArray[np.float64]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


def check_dual_feasibility(
    cost: PreparedCost, batch: Sequence[DualPotentials]
) -> list[DualFeasibility]:
    """Check the potentials of several problems over the same costs in one scan.

    The scan is in float32 if its rounding error is small beside every allowed gap; that error is
    then subtracted from the c-transforms. Otherwise the scan is in float64.

    Parameters
    ----------
    cost : PreparedCost
        The costs that all problems share.
    batch : sequence of DualPotentials

    Returns
    -------
    list of DualFeasibility
    """
    errors = [potentials.float32_error() for potentials in batch]
    in_float64 = math.isinf(max(errors))
    if in_float64:
        errors = [0.0] * len(batch)
    else:
        batch = [potentials.rounded_to_float32() for potentials in batch]
    # The largest potential of each point in the batch decides which pairs may be left out.
    f, g = (np.max(side, axis=0) for side in zip(*((p.f, p.g) for p in batch), strict=True))
    if in_float64:
        strips = cost.map_near_blocks(
            lambda each: _scan_strip(each, batch, np.float64), f, g, SLACK
        )
    else:
        strips = cost.map_near_float32_blocks(
            lambda each: _scan_strip(each, batch, np.float32), f, g, SLACK
        )
    unread = cost.unread_from(SLACK)
    accumulators = [
        _Accumulator(potentials, error, unread)
        for potentials, error in zip(batch, errors, strict=True)
    ]
    for scans in strips:
        for accumulator, scan in zip(accumulators, scans, strict=True):
            accumulator.add(scan)
    return [accumulator.result() for accumulator in accumulators]


class _Accumulator:
    """Accumulates the scans of successive strips for one set of potentials."""

    def __init__(self, potentials: DualPotentials, error: float, unread: float) -> None:
        self._potentials = potentials
        self._error = error
        self._row_minima: list[NDArray[np.float64]] = []
        self._column_minima = potentials.g + unread
        self._unread = potentials.f + unread
        self._rows: list[NDArray[np.intp]] = []
        self._columns: list[NDArray[np.intp]] = []

    def add(self, scan: _StripScan) -> None:
        """Add the scan of the next strip."""
        self._row_minima.append(scan.row_minima)
        np.minimum(self._column_minima, scan.column_minima, out=self._column_minima)
        self._rows.append(scan.rows)
        self._columns.append(scan.columns)

    def result(self) -> DualFeasibility:
        """Combine all strips."""
        return DualFeasibility.from_c_transforms(
            self._potentials,
            np.minimum(np.concatenate(self._row_minima), self._unread) - self._error,
            self._column_minima - self._error,
            np.concatenate(self._rows),
            np.concatenate(self._columns),
        )


def _scan_strip(
    panels: Panels[Real], batch: Sequence[DualPotentials], real: type[Real]
) -> list[_StripScan]:
    block_scans = [_BlockScan(potentials, real) for potentials in batch]
    for start, stop, columns, block in panels:
        reduced = np.empty_like(block)
        for each in block_scans:
            each.scan(start, stop, columns, block, reduced)
    return [each.result() for each in block_scans]


class _BlockScan(Generic[Real]):
    """Scans the blocks of one strip for one set of potentials."""

    def __init__(self, potentials: DualPotentials, real: type[Real]) -> None:
        problem = potentials.problem
        # Points without mass constrain no potential.
        self._f: NDArray[Real] = np.where(problem.row_weights > 0, potentials.f, -np.inf).astype(
            real
        )
        self._g: NDArray[Real] = np.where(problem.column_weights > 0, potentials.g, -np.inf).astype(
            real
        )
        self._level = potentials.level
        self._all_columns = np.arange(len(self._g))
        self._column_minima: NDArray[Real] = np.full(len(self._g), np.inf, dtype=real)
        self._row_minima: list[NDArray[Real]] = []
        self._rows: list[NDArray[np.intp]] = []
        self._columns: list[NDArray[np.intp]] = []

    def scan(
        self,
        start: int,
        stop: int,
        some_columns: Columns,
        block: NDArray[Real],
        reduced: NDArray[Real],
    ) -> None:
        """Scan a block of some columns; `reduced`, of the same shape, is scratch memory."""
        f, g = self._f[start:stop], self._g[some_columns]
        np.subtract(block, f[:, None], out=reduced)
        self._column_minima[some_columns] = np.minimum(
            self._column_minima[some_columns], reduced.min(axis=0)
        )
        reduced -= g
        minima = reduced.min(axis=1)
        violated = np.flatnonzero(minima < self._level)
        limit = math.ceil(
            MAX_VIOLATED_PER_POINT * len(violated) * max(1.0, len(self._g) / len(self._f))
        )
        rows, columns = _most_violated(reduced[violated], self._level, limit)
        self._rows.append(violated[rows] + start)
        self._columns.append(self._all_columns[some_columns][columns])
        massless = np.isneginf(f)
        if massless.any():
            minima[massless] = (block[massless] - g).min(axis=1)
            f = np.where(massless, 0, f)
        self._row_minima.append(minima + f)

    def result(self) -> _StripScan:
        """Combine the blocks of the strip."""
        return _StripScan(
            np.concatenate(self._row_minima).astype(np.float64),
            self._column_minima.astype(np.float64),
            np.concatenate(self._rows),
            np.concatenate(self._columns),
        )


def _most_violated(
    reduced: NDArray[Real], level: float, limit: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the most violated pairs below the level, at most `limit` of them."""
    below = np.flatnonzero(reduced < level)
    if len(below) > limit:
        values = reduced.ravel()[below]
        below = below[np.argpartition(values, limit)[:limit]]
    return np.divmod(below, reduced.shape[1])


def rounding_error(f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """Bound the rounding error of the dual value, relative to the potentials' magnitude."""
    return _ROUNDING_OF_SUMS * _magnitude(f, g)


def _magnitude(f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """Return the magnitude to which rounding errors of potentials are relative."""
    return float(np.abs(f).max()) + float(np.abs(g).max())
