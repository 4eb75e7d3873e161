"""Solving a sweep: one certified transport for every s, and the lines of the plans found."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from wassay.transport.cost import Cost, Power
from wassay.transport.curve import DistanceCurve, Line, SweepPoint, quadratic_through
from wassay.transport.exact import Solution

SAME_QUADRATIC = 1e-10
"""How far, as a share of the largest cost, plans may disagree on the s² term they must share."""


def distance_curve(
    p: Power,
    costs: Mapping[float, Cost],
    solutions: Mapping[float, Solution],
    *,
    mean_shifts: Mapping[float, float] | None = None,
    displacement: float | None = None,
) -> DistanceCurve:
    """Put the solutions of a sweep together.

    Parameters
    ----------
    p : {1, 2}
    costs : mapping of s to Cost
        The cost of the same two measures at every s, rows and columns in one order.
    solutions : mapping of s to Solution
        Their optimal plans.
    mean_shifts : mapping of s to float, optional
        ‖mean η_μ(t0) − mean η_ν(s)‖².
    displacement : float, optional
        For p = 1; see `DistanceCurve`.
    """
    sweep = tuple(sorted(solutions))
    a2, lines = _lines(sweep, costs, solutions) if p == 2 else (None, [None] * len(sweep))
    points = tuple(
        SweepPoint(
            s,
            solutions[s].cost,
            solutions[s].certificate,
            line,
            None if mean_shifts is None else mean_shifts[s],
        )
        for s, line in zip(sweep, lines, strict=True)
    )
    return DistanceCurve(p, points, a2, displacement if p == 1 else None)


def _lines(
    sweep: tuple[float, ...], costs: Mapping[float, Cost], solutions: Mapping[float, Solution]
) -> tuple[float | None, list[Line | None]]:
    """A2 and the line of every solved plan, from the plans' costs at the other solved s.

    The cost of a plan P is exactly quadratic in s, and its s² term is A2 = Σ b_j ‖b_ν,j − y_j‖²
    whatever P is. Costs that are not of this form (rows in another order for every s, rounded
    or invented numbers) prove nothing, so they get no lines.
    """
    table = np.array([[_plan_cost(costs[s], solutions[own]) for s in sweep] for own in sweep])
    quadratics = np.array([quadratic_through(sweep, row) for row in table])
    a2 = float(quadratics[:, 2].mean())
    squares = np.square(sweep)
    lines = np.array(
        [np.polynomial.polynomial.polyfit(sweep, row - a2 * squares, 1) for row in table]
    )
    modelled = lines @ np.vander(sweep, 2, increasing=True).T + a2 * squares
    allowed = SAME_QUADRATIC * float(np.abs(table).max())
    if float(np.abs(modelled - table).max()) > allowed:
        return None, [None] * len(sweep)
    return a2, [Line(float(alpha), float(beta)) for alpha, beta in lines]


def _plan_cost(cost: Cost, solution: Solution) -> float:
    entries: NDArray[np.float64] = cost.at(solution.rows, solution.columns)
    return float(entries @ solution.mass)
