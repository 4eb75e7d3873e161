"""Certify given solutions: check each against its costs, and solve nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.batch import problems_over_one_cost
from wassay.transport.solvers.certify.candidate import candidates
from wassay.transport.solvers.certify.check_dual_feasibility import check_dual_feasibility
from wassay.transport.solvers.certify.solver_output import Solver, SolverOutput
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.solution import Solution, certified_solution
from wassay.transport.solvers.solve import MAX_DENSE_PAIRS
from wassay.transport.solvers.sparse.near_pairs import NearPairs
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool


def certify_batch(
    cost: Cost,
    weights: Sequence[tuple[ArrayLike, ArrayLike]],
    guesses: Sequence[Solution],
    *,
    tolerance: float = 1e-9,
    progress: Callable[[], None] = lambda: None,
) -> list[Solution | None]:
    """Check given solutions against their costs, and certify those that are optimal.

    Parameters
    ----------
    cost : Cost, shape (n, m)
    weights : sequence of tuple of array_like, shapes (n,) and (m,)
        See `solve_batch`.
    guesses : sequence of Solution
        One for each pair of weights; their certificates are ignored.
    tolerance : float
        Guesses with a larger relative gap are not certified.
    progress : callable
        See `solve`.

    Returns
    -------
    list of Solution or None
        The guesses with new certificates; None for a guess whose gap exceeds the tolerance.

    Raises
    ------
    TransportError
        If costs or weights are invalid.
    """
    if not guesses:
        return []
    callback = ProgressCallback(progress)
    with ThreadPool(callback) as threads:
        problems, rows, columns = problems_over_one_cost(
            cost, weights, threads, callback, tolerance=tolerance, memory_budget_bytes=0
        )
        outputs = [
            (problem, _converted(guess, problem, rows, columns))
            for problem, guess in zip(problems, guesses, strict=True)
        ]
        check = check_dual_feasibility
        if len(outputs) > 1 and np.prod(cost.shape) > MAX_DENSE_PAIRS:
            f = np.mean([output.f for _, output in outputs], axis=0)
            g = np.mean([output.g for _, output in outputs], axis=0)
            check = NearPairs.collect(problems[0].cost, f, g).check
        results = candidates(outputs, check=check)
    return [
        certified_solution(problem, candidate, cost, rows, columns)
        if candidate.certifies(problem)
        else None
        for problem, candidate in zip(problems, results, strict=True)
    ]


def _converted(
    guess: Solution, problem: TransportProblem, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> SolverOutput:
    """Convert a guess to a problem's points and units.

    `rows` and `columns` are the problem's points, as indices into the guess's points.
    """
    plan = Plan(
        np.searchsorted(rows, guess.rows), np.searchsorted(columns, guess.columns), guess.mass
    )
    exponent = -problem.cost.exponent
    solver = Solver(guess.certificate.solver, guess.certificate.solver_version)
    return SolverOutput(
        plan, np.ldexp(guess.f[rows], exponent), np.ldexp(guess.g[columns], exponent), True, solver
    )
