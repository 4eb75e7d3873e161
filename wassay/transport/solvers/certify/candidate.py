"""A plan and potentials that may or may not be optimal, with the bounds they prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wassay.transport.solvers.certify.dual_feasibility import (
    Inspecting,
    Inspection,
    Question,
    inspect,
)
from wassay.transport.solvers.certify.vertex import Solver, Vertex
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.problem import Problem

VIOLATED = -1e-13
"""Reduced costs below this share of the plan's cost are worth another round."""


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
    finished : bool
        Whether the solver ended by itself, and not at its limit of iterations.
    """

    plan: Plan
    inspection: Inspection
    primal: float
    solver: Solver
    rounds: int
    finished: bool = True

    @property
    def dual(self) -> float:
        """The true cost is between this and `primal`."""
        return self.inspection.dual

    @property
    def gap(self) -> float:
        """Width of what is not known."""
        return self.primal - self.dual

    def proves(self, problem: Problem) -> bool:
        """Whether its bounds are close enough."""
        return problem.proven(self.primal, self.dual)


def candidate(
    problem: Problem, vertex: Vertex, *, level: float = VIOLATED, rounds: int = 1
) -> Candidate:
    """Inspect potentials and price a plan, whose marginals are project_to_marginals first where
    they are off.
    """
    return candidates([(problem, vertex)], level=level, rounds=rounds)[0]


def candidates(
    offers: Sequence[tuple[Problem, Vertex]],
    *,
    level: float = VIOLATED,
    rounds: int = 1,
    inspecting: Inspecting = inspect,
) -> list[Candidate]:
    """The same of several problems over the same costs, inspected in one pass.

    Pairs are reported whose reduced cost is below the level, a share of the plan's cost, but not of
    one far above what is usual.
    """
    plans = [
        vertex.plan.project_to_marginals(problem.row_weights, problem.column_weights)
        for problem, vertex in offers
    ]
    cost = offers[0][0].cost
    primals = [float(cost.at(plan.rows, plan.columns) @ plan.mass) for plan in plans]
    questions = [
        Question(problem, vertex.f, vertex.g, primal, level * min(abs(primal), 1.0))
        for (problem, vertex), primal in zip(offers, primals, strict=True)
    ]
    return [
        Candidate(plan, inspection, primal, vertex.solver, rounds, vertex.finished)
        for plan, inspection, primal, (_, vertex) in zip(
            plans, inspecting(cost, questions), primals, offers, strict=True
        )
    ]
