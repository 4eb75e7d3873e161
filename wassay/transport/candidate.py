"""A plan and potentials that may or may not be optimal, with the bounds they prove."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.inspection import Inspection, inspect
from wassay.transport.plan import Plan
from wassay.transport.problem import Problem

VIOLATED = -1e-13
"""Reduced costs below this, for costs of order one, are more than rounding."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A plan, potentials, and what looking at all pairs says of them.

    Attributes
    ----------
    plan : Plan
        With the right marginals: its cost bounds the true one from above.
    f : ndarray, shape (n,)
    inspection : Inspection
        Holds the other potential.
    primal, dual : float
        The true cost is between them.
    rounds : int
    """

    plan: Plan
    f: NDArray[np.float64]
    inspection: Inspection
    primal: float
    dual: float
    rounds: int

    @property
    def gap(self) -> float:
        """Width of what is not known."""
        return self.primal - self.dual


def candidate(
    problem: Problem,
    plan: Plan,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    *,
    level: float = VIOLATED,
    rounds: int = 1,
) -> Candidate:
    """Inspect potentials and price a plan, whose marginals are mended first where they are off."""
    plan = plan.mended(problem.row_weights, problem.column_weights)
    inspection = inspect(problem.cost, f, g, level)
    primal = float(problem.cost.at(plan.rows, plan.columns) @ plan.mass)
    dual = inspection.dual(f, problem.row_weights, problem.column_weights)
    return Candidate(plan, f, inspection, primal, dual, rounds)
