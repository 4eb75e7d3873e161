"""A plan and potentials that may or may not be optimal, with the bounds they prove."""

from __future__ import annotations

from dataclasses import dataclass

from wassay.transport.inspection import Inspection, inspect
from wassay.transport.plan import Plan
from wassay.transport.problem import Problem
from wassay.transport.vertex import Solver, Vertex

VIOLATED = -1e-13
"""Reduced costs below this, for costs of order one, are more than rounding."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A plan, potentials, and what looking at all pairs says of them.

    Attributes
    ----------
    plan : Plan
        With the right marginals: its cost bounds the true one from above.
    inspection : Inspection
        Holds feasible potentials and the lower bound that they prove.
    primal : float
        The plan's cost.
    solver : Solver
    rounds : int
    """

    plan: Plan
    inspection: Inspection
    primal: float
    solver: Solver
    rounds: int

    @property
    def dual(self) -> float:
        """The true cost is between this and `primal`."""
        return self.inspection.dual

    @property
    def gap(self) -> float:
        """Width of what is not known."""
        return self.primal - self.dual


def candidate(
    problem: Problem, vertex: Vertex, *, level: float = VIOLATED, rounds: int = 1
) -> Candidate:
    """Inspect potentials and price a plan, whose marginals are mended first where they are off."""
    plan = vertex.plan.mended(problem.row_weights, problem.column_weights)
    primal = float(problem.cost.at(plan.rows, plan.columns) @ plan.mass)
    inspection = inspect(problem, vertex.f, vertex.g, primal, level)
    return Candidate(plan, inspection, primal, vertex.solver, rounds)
