"""Sellers compared with each other, as problems of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from wassay.transport.costs.cost import Power
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.costs.rounding import Extent
from wassay.transport.market.subproblems import Coalition, SolvedSubproblem, Subproblem
from wassay.transport.measure import Measure
from wassay.transport.solvers.exact import solve
from wassay.transport.sweeps.sweep import solved_point


def pair_subproblems(contribution_ids: Iterable[str], s: float) -> tuple[Subproblem, ...]:
    """The problems of comparing each of some sellers with each other one."""
    pairs = combinations(sorted(contribution_ids), 2)
    return tuple(Subproblem(Coalition("pair", members=pair), s) for pair in pairs)


def solve_pair(
    problem: Subproblem,
    one: Measure,
    other: Measure,
    p: Power = 2,
    progress: Callable[[], None] = lambda: None,
) -> SolvedSubproblem:
    """Solve one of `pair_subproblems`, between two sellers' measures of its s.

    Raises
    ------
    TransportError
        When they do not live in one space.
    NotCertified
        When the proof fails.
    """
    cost = PointCost(one, other, p)
    solution = solve(cost, one.weights, other.weights, progress=progress)
    point = solved_point(p, problem.s, {problem.s: cost}, solution, extent=Extent.of(other))
    return SolvedSubproblem(problem, point, None)
