"""Potentials whose feasibility is to be checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import ROUNDING_OF_FLOAT32
from wassay.transport.solvers.transport_problem import TransportProblem

FLOAT32_SHARE_OF_GAP = 1 / 20
"""Share of the allowed gap that a scan in float32 may use up."""

MAX_VIOLATED_PER_POINT = 20
"""Limit on the violated pairs reported per point of the larger side."""

SLACK = 1e-6
"""A check need not read pairs whose reduced cost is known to be at least this."""

_OPERATIONS = 8
"""At most this many roundings make up a reduced cost in float32, in any order of operations."""

_ROUNDING_OF_SUMS = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class DualPotentials:
    """Potentials of a problem, whose feasibility f_i + g_j <= C_ij is to be checked.

    Attributes
    ----------
    problem : TransportProblem
    f, g : ndarray, shapes (n,) and (m,)
        Potentials of the rows and columns.
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
        """Whether the gap stays within tolerance even if every pair is violated by `violation`."""
        return violation <= self.problem.allowed_gap(self.primal)

    def float32_error(self) -> float:
        """Bound the error in float32 of reduced costs up to 1."""
        rounding = _OPERATIONS * ROUNDING_OF_FLOAT32 * (1 + _magnitude(self.f, self.g))
        return rounding + self.problem.cost.float32_error()

    def allow_float32(self) -> bool:
        """Whether the error of float32 is a small share of the gap that the tolerance allows."""
        allowed = FLOAT32_SHARE_OF_GAP * self.problem.tolerance * abs(self.primal)
        return self.float32_error() <= allowed


def rounding_error(f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """Bound the rounding error of the dual value, which grows with the size of the potentials."""
    return _ROUNDING_OF_SUMS * _magnitude(f, g)


def _magnitude(f: NDArray[np.float64], g: NDArray[np.float64]) -> float:
    """Return the size of the potentials: the largest |f_i| plus the largest |g_j|."""
    return float(np.abs(f).max()) + float(np.abs(g).max())


def highest_potentials(
    batch: Sequence[DualPotentials],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each point's largest potential among all problems of a batch."""
    # A pair's reduced cost for these potentials is at most its reduced cost in any problem.
    f, g = (np.max(side, axis=0) for side in zip(*((p.f, p.g) for p in batch), strict=True))
    return f, g
