"""Equal sizes and uniform weights: transport is assignment (Jonker–Volgenant)."""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
from lapjv import lapjv
from numpy.typing import NDArray

from wassay.transport.plan import Plan, RawSolution

SOLVER = "assignment"
VERSION = f"lapjv {version('lapjv')}"


def solve_assignment(cost: NDArray[np.float64]) -> RawSolution:
    """Assign every row of a square matrix of finite costs to a column, each with mass 1/n."""
    size = len(cost)
    columns, _, (_, f, g) = lapjv(cost, force_doubles=True)
    plan = Plan(np.arange(size), columns.astype(np.intp), np.full(size, 1 / size))
    return RawSolution(plan, f, g, SOLVER, VERSION)
