"""Proving solutions that come from elsewhere, without solving."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Cost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.batch import over_one_cost
from wassay.transport.solvers.certify.candidate import candidates
from wassay.transport.solvers.certify.dual_feasibility import inspect
from wassay.transport.solvers.certify.vertex import Solver, Vertex
from wassay.transport.solvers.exact import FEW_PAIRS
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.problem import Problem
from wassay.transport.solvers.solution import Solution, proven_solution
from wassay.transport.solvers.sparse.near_pairs import NearPairs
from wassay.transport.thread_pool import ThreadPool


def certify_each(
    cost: Cost,
    weights: Sequence[tuple[ArrayLike, ArrayLike]],
    guesses: Sequence[Solution],
    *,
    tolerance: float = 1e-9,
    progress: Callable[[], None] = lambda: None,
) -> list[Solution | None]:
    """Certify plans and potentials that are thought to be optimal, in one pass over all pairs.

    Parameters
    ----------
    cost : Cost, shape (n, m)
    weights : sequence of tuple of array_like, shapes (n,) and (m,)
        See `solve_batch`.
    guesses : sequence of Solution
        One for each weights; their certificates are not looked at.
    tolerance, progress
        See `solve`.

    Returns
    -------
    list of Solution or None
        With new certificates; None where there is none.

    Raises
    ------
    TransportError
        When costs or weights are not what they have to be.
    """
    if not guesses:
        return []
    beat = ProgressCallback(progress)
    with ThreadPool(beat) as threads:
        problems, rows, columns = over_one_cost(
            cost, weights, threads, beat, tolerance=tolerance, memory_budget_bytes=0
        )
        offers = [
            (problem, _vertex(guess, problem, rows, columns))
            for problem, guess in zip(problems, guesses, strict=True)
        ]
        inspecting = inspect
        if len(offers) > 1 and np.prod(cost.shape) > FEW_PAIRS:
            f = np.mean([vertex.f for _, vertex in offers], axis=0)
            g = np.mean([vertex.g for _, vertex in offers], axis=0)
            inspecting = NearPairs.listed(problems[0].cost, f, g).inspect
        found = candidates(offers, inspecting=inspecting)
    return [
        proven_solution(problem, one, cost, rows, columns) if one.proves(problem) else None
        for problem, one in zip(problems, found, strict=True)
    ]


def _vertex(
    guess: Solution, problem: Problem, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> Vertex:
    """A guess in the terms of the problem, which is over some rows and columns only."""
    plan = Plan(
        np.searchsorted(rows, guess.rows), np.searchsorted(columns, guess.columns), guess.mass
    )
    exponent = -problem.cost.exponent
    solver = Solver(guess.certificate.solver, guess.certificate.solver_version)
    return Vertex(
        plan, np.ldexp(guess.f[rows], exponent), np.ldexp(guess.g[columns], exponent), True, solver
    )
