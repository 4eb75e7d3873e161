"""Compare sellers with each other, as subproblems of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from wassay.transport.costs.cost import Power
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.costs.rounding import Extent
from wassay.transport.market.subproblems import Coalition, SolvedSubproblem, Subproblem
from wassay.transport.measure import Measure
from wassay.transport.solvers.solve import solve
from wassay.transport.sweeps.sweep import solved_point


def pair_subproblems(contribution_ids: Iterable[str], s: float) -> tuple[Subproblem, ...]:
    """Return the subproblems that compare every two of the contributions.

    Parameters
    ----------
    contribution_ids : iterable of str
    s : float
        The s at which the measures are compared.

    Returns
    -------
    tuple of Subproblem
        Subproblems of kind 'pair', in lexicographic order.
    """
    pairs = combinations(sorted(contribution_ids), 2)
    return tuple(Subproblem(Coalition("pair", members=pair), s) for pair in pairs)


def solve_pair(
    subproblem: Subproblem,
    one: Measure,
    other: Measure,
    p: Power = 2,
    progress: Callable[[], None] = lambda: None,
) -> SolvedSubproblem:
    """Solve a subproblem of `pair_subproblems`.

    Parameters
    ----------
    subproblem : Subproblem
    one, other : Measure
        The two sellers' measures at the subproblem's s.
    p : {1, 2}
    progress : callable
        Called about four times a second; an exception it raises ends the solve.

    Returns
    -------
    SolvedSubproblem

    Raises
    ------
    TransportError
        If the measures differ in dimension.
    NotCertified
        If the solution cannot be proven optimal.
    """
    cost = PointCost(one, other, p)
    solution = solve(cost, one.weights, other.weights, progress=progress)
    point = solved_point(p, subproblem.s, {subproblem.s: cost}, solution, extent=Extent.of(other))
    return SolvedSubproblem(subproblem, point, None)
