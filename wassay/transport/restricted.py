"""Exact transport over few pairs: solve on a list, look at all pairs, lengthen the list.

The list starts with the pairs to which an entropic plan sends mass. Most of the other nm pairs are
never handed to the simplex, and are only looked at to prove that they do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.inspection import Inspection, inspect
from wassay.transport.plan import Plan
from wassay.transport.prepared import PreparedCost
from wassay.transport.simplex import solve_listed

VIOLATED = -1e-13
"""Reduced costs below this, for costs of order one, are more than rounding."""

SHRINK = 1e-3
"""When only the simplex's own tolerance is left to remove, dearer pairs go off the list: that
tolerance is a share of the dearest listed pair."""

MOST_ROUNDS = 60


@dataclass(frozen=True, eq=False)
class Candidate:
    """A plan, potentials, and what looking at all pairs says of them."""

    plan: Plan
    f: NDArray[np.float64]
    inspection: Inspection
    primal: float
    dual: float
    rounds: int

    def proven(self, tolerance: float, rounding: float) -> bool:
        """Whether the plan's cost is within tolerance of the potentials' value."""
        return self.primal - self.dual <= tolerance * abs(self.primal) + rounding


def candidate(
    cost: PreparedCost,
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    plan: Plan,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    *,
    level: float = VIOLATED,
    rounds: int = 1,
) -> Candidate:
    """Inspect potentials and price a plan, whose marginals are mended first where they are off."""
    plan = plan.mended(row_weights, column_weights)
    inspection = inspect(cost, f, g, level)
    primal = float(cost.at(plan.rows, plan.columns) @ plan.mass)
    dual = inspection.dual(f, row_weights, column_weights)
    return Candidate(plan, f, inspection, primal, dual, rounds)


def solve_restricted(
    cost: PreparedCost,
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    likely: Plan,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    *,
    tolerance: float,
    rounding: float,
    max_iterations: int,
) -> Candidate:
    """Start from a list of likely pairs and from potentials near the optimum.

    Ends when the gap is within tolerance, or when a round cannot improve it any more.
    """
    m = cost.shape[1]
    feasible = likely.rounded(row_weights, column_weights)
    listed = np.unique(feasible.rows * m + feasible.columns)
    best: Candidate | None = None
    rounds = 0
    while True:
        rounds += 1
        rows, columns = np.divmod(listed, m)
        reduced = cost.at(rows, columns) - f[rows] - g[columns]
        scale = max(float(np.abs(reduced).max()), np.finfo(np.float64).tiny)
        vertex = solve_listed(
            rows, columns, reduced / scale, row_weights, column_weights, max_iterations
        )
        f, g = f + scale * vertex.f, g + scale * vertex.g
        found = candidate(cost, row_weights, column_weights, vertex.plan, f, g, rounds=rounds)
        stuck = best is not None and found.primal - found.dual >= best.primal - best.dual
        if best is None or not stuck:
            best = found
        if best.proven(tolerance, rounding) or not vertex.finished or rounds == MOST_ROUNDS:
            return best
        offenders = np.setdiff1d(found.inspection.rows * m + found.inspection.columns, listed)
        if len(offenders) == 0:
            if stuck:
                return best
            reduced = cost.at(rows, columns) - f[rows] - g[columns]
            listed = listed[reduced <= SHRINK * scale]
        listed = np.union1d(np.union1d(listed, offenders), found.plan.rows * m + found.plan.columns)
