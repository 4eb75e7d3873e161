"""A plan and potentials with the bounds that they certify."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.check_dual_feasibility import check_dual_feasibility
from wassay.transport.solvers.certify.dual_feasibility import DualFeasibility, FeasibilityCheck
from wassay.transport.solvers.certify.dual_potentials import DualPotentials
from wassay.transport.solvers.certify.solver_output import Solver, SolverOutput
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.transport_problem import TransportProblem

VIOLATED = -1e-13
"""Pairs with a reduced cost below this multiple of the plan's cost count as violated."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A plan, feasible potentials, and their bounds on the optimal cost.

    Attributes
    ----------
    plan : Plan
        Has the right marginals, so its cost is an upper bound.
    feasibility : DualFeasibility
        Feasible potentials and the lower bound that they certify.
    primal : float
        The plan's cost.
    solver : Solver
    rounds : int
        Number of restricted problems that were solved.
    finished : bool
        Whether the solver stopped by itself and not at its iteration limit.
    """

    plan: Plan
    feasibility: DualFeasibility
    primal: float
    solver: Solver
    rounds: int
    finished: bool = True

    @property
    def dual(self) -> float:
        """Lower bound on the optimal cost."""
        return self.feasibility.dual

    @property
    def gap(self) -> float:
        """Duality gap, primal − dual."""
        return self.primal - self.dual

    def certifies(self, problem: TransportProblem) -> bool:
        """Whether the gap is within the problem's tolerance."""
        return problem.is_certified(self.primal, self.dual)


def candidate_from_feasible_potentials(
    problem: TransportProblem,
    plan: Plan,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    primal: float,
    solver: Solver,
) -> Candidate:
    """Build a candidate from feasible potentials, without checking that they are feasible.

    Parameters
    ----------
    problem : TransportProblem
    plan : Plan
        With the problem's marginals.
    f, g : ndarray, shapes (n,) and (m,)
        Feasible potentials: f_i + g_j <= C_ij.
    primal : float
        The plan's cost.
    solver : Solver

    Returns
    -------
    Candidate
    """
    no_pairs = np.empty(0, dtype=np.intp)
    potentials = DualPotentials(problem, f, g, primal, level=0.0)
    feasibility = DualFeasibility.from_c_transforms(potentials, f, g, no_pairs, no_pairs)
    return Candidate(plan, feasibility, primal, solver, rounds=1)


def candidate(
    problem: TransportProblem, output: SolverOutput, *, level: float = VIOLATED, rounds: int = 1
) -> Candidate:
    """Build the candidate of a single problem from a solver's output.

    `level` and `rounds` are those of `candidates`.
    """
    return candidates([(problem, output)], level=level, rounds=rounds)[0]


def candidates(
    outputs: Sequence[tuple[TransportProblem, SolverOutput]],
    *,
    level: float = VIOLATED,
    rounds: int = 1,
    check: FeasibilityCheck = check_dual_feasibility,
) -> list[Candidate]:
    """Build one candidate for each problem, in one scan of the costs that all problems share.

    Each plan is first corrected to the marginals of its problem.

    Parameters
    ----------
    outputs : sequence of tuple of TransportProblem and SolverOutput
        Each problem with the solver's output for it.
    level : float
        A pair counts as violated if its reduced cost is below `level` times
        min(|cost of the plan|, 1).
    rounds : int
        Number of restricted problems solved so far.
    check : callable
        Dual feasibility check, by default of all pairs.

    Returns
    -------
    list of Candidate
    """
    plans = [
        output.plan.project_to_marginals(problem.row_weights, problem.column_weights)
        for problem, output in outputs
    ]
    cost = outputs[0][0].cost
    primals = [float(cost.at(plan.rows, plan.columns) @ plan.mass) for plan in plans]
    potentials = [
        DualPotentials(problem, output.f, output.g, primal, level * min(abs(primal), 1.0))
        for (problem, output), primal in zip(outputs, primals, strict=True)
    ]
    return [
        Candidate(plan, feasibility, primal, output.solver, rounds, output.finished)
        for plan, feasibility, primal, (_, output) in zip(
            plans, check(cost, potentials), primals, outputs, strict=True
        )
    ]
