"""A plan and potentials that may or may not be optimal, with the bounds they prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wassay.transport.solvers.inspection import (
    Inspecting,
    Inspection,
    Question,
    inspect,
    rounding_of,
)
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.problem import Problem
from wassay.transport.solvers.vertex import Solver, Vertex

ROUNDINGS = 64
"""A gap of so many roundings of the potentials that prove it may be rounding."""

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

    def proves(self, problem: Problem) -> bool:
        """Whether its bounds are close enough.

        What a usual cost leaves unresolved is no excuse where most costs are far above those that
        the plan pays: the potentials that prove it are small then, and float64 resolves them.
        """
        rounded = rounding_of(
            self.inspection.f[problem.row_weights > 0],
            self.inspection.g[problem.column_weights > 0],
        )
        resolved = max(problem.tolerance * abs(self.primal), ROUNDINGS * rounded)
        return problem.proven(self.primal, self.dual) and self.gap <= resolved


def candidate(
    problem: Problem, vertex: Vertex, *, level: float = VIOLATED, rounds: int = 1
) -> Candidate:
    """Inspect potentials and price a plan, whose marginals are mended first where they are off."""
    return candidates([(problem, vertex)], level=level, rounds=rounds)[0]


def candidates(
    offers: Sequence[tuple[Problem, Vertex]],
    *,
    level: float = VIOLATED,
    rounds: int = 1,
    inspecting: Inspecting = inspect,
) -> list[Candidate]:
    """The same of several problems over the same costs, inspected in one pass."""
    plans = [
        vertex.plan.mended(problem.row_weights, problem.column_weights)
        for problem, vertex in offers
    ]
    cost = offers[0][0].cost
    primals = [float(cost.at(plan.rows, plan.columns) @ plan.mass) for plan in plans]
    questions = [
        Question(problem, vertex.f, vertex.g, primal, level)
        for (problem, vertex), primal in zip(offers, primals, strict=True)
    ]
    return [
        Candidate(plan, inspection, primal, vertex.solver, rounds)
        for plan, inspection, primal, (_, vertex) in zip(
            plans, inspecting(cost, questions), primals, offers, strict=True
        )
    ]
