"""Build distance curves from the solutions of a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wassay.transport.certificate import Certificate
from wassay.transport.costs.cost import Cost, Power
from wassay.transport.costs.rounding import NO_EXTENT, Extent
from wassay.transport.sweeps.curve import DistanceCurve, Line, SweepPoint
from wassay.transport.sweeps.polynomial_fit import fit_weights

if TYPE_CHECKING:
    from wassay.transport.solvers.solution import Solution

SAME_QUADRATIC = 1e-10
"""Largest difference between the s² terms of plans, relative to the largest cost."""


@dataclass(frozen=True)
class SolvedPoint:
    """What a curve needs of the solution at one s.

    Attributes
    ----------
    certificate : Certificate
        Certificate of the cost at this s.
    plan_costs : tuple of float
        Costs of the plan at every s of the sweep, in ascending order of s.
    rounding : float
        Bound of the rounding error of the cost (see `cost_rounding`).
    mean_shift : float or None
        ‖mean η_μ(t0) − mean η_ν(s)‖²; None if only costs are known.
    """

    certificate: Certificate
    plan_costs: tuple[float, ...]
    rounding: float
    mean_shift: float | None = None


def solved_point(
    p: Power,
    s: float,
    costs: Mapping[float, Cost],
    solution: Solution,
    *,
    mean_shift: float | None = None,
    extent: Extent = NO_EXTENT,
) -> SolvedPoint:
    """Reduce a solution to one solved point of a curve.

    Parameters
    ----------
    p : {1, 2}
    s : float
        The s of the solution.
    costs : mapping of s to Cost
        At every s of the sweep, with rows and columns in the same order.
    solution : Solution
        Optimal at s.
    mean_shift : float, optional
        ‖mean η_μ(t0) − mean η_ν(s)‖².
    extent : Extent, optional
        Extent of the buyer's measure, used to bound the rounding error.

    Returns
    -------
    SolvedPoint
    """
    plan_costs = tuple(_plan_cost(costs[each], solution) for each in sorted(costs))
    return SolvedPoint(
        solution.certificate, plan_costs, solution.rounding(costs[s], extent, p), mean_shift
    )


def curve_through(
    p: Power, solved: Mapping[float, SolvedPoint], displacement: float | None = None
) -> DistanceCurve:
    """Build the curve through the solved points of a sweep.

    Parameters
    ----------
    p : {1, 2}
    solved : mapping of s to SolvedPoint
        For every s of the sweep.
    displacement : float, optional
        For p = 1: the weighted mean distance between the seller's points and their images in the
        reference.

    Returns
    -------
    DistanceCurve

    Raises
    ------
    TransportError
        If there are fewer than three s, or one is outside (0, 1).
    """
    sweep = tuple(sorted(solved))
    rounding = max(point.rounding for point in solved.values())
    a2: float | None = None
    lines: Sequence[Line | None] = [None] * len(sweep)
    if p == 2:
        a2, lines, misfit = _lines(sweep, np.array([solved[s].plan_costs for s in sweep]))
        rounding += misfit
    points = tuple(
        SweepPoint(
            s, solved[s].certificate.primal, solved[s].certificate, line, solved[s].mean_shift
        )
        for s, line in zip(sweep, lines, strict=True)
    )
    return DistanceCurve(p, points, a2, displacement if p == 1 else None, rounding)


def distance_curve(
    p: Power,
    costs: Mapping[float, Cost],
    solutions: Mapping[float, Solution],
    *,
    mean_shifts: Mapping[float, float] | None = None,
    displacement: float | None = None,
    extent: Extent = NO_EXTENT,
) -> DistanceCurve:
    """Build the curve through the solutions of a sweep.

    Parameters
    ----------
    p : {1, 2}
    costs : mapping of s to Cost
        At every s of the sweep, with rows and columns in the same order.
    solutions : mapping of s to Solution
        Optimal at their s.
    mean_shifts : mapping of s to float, optional
        ‖mean η_μ(t0) − mean η_ν(s)‖².
    displacement : float, optional
        For p = 1: the weighted mean distance between the seller's points and their images in the
        reference.
    extent : Extent, optional
        Extent of the buyer's measure, used to bound the rounding error.

    Returns
    -------
    DistanceCurve

    Raises
    ------
    TransportError
        If there are fewer than three s, or one is outside (0, 1).
    """
    solved = {
        s: solved_point(
            p,
            s,
            costs,
            solution,
            mean_shift=None if mean_shifts is None else mean_shifts[s],
            extent=extent,
        )
        for s, solution in solutions.items()
    }
    return curve_through(p, solved, displacement)


def _lines(
    sweep: tuple[float, ...], table: NDArray[np.float64]
) -> tuple[float | None, Sequence[Line | None], float]:
    """Fit A2 s² and a line to each row of `table`: the costs of a solved plan at every s.

    Return A2, the lines and the largest misfit; if plans differ in A2, None, a list of None, and 0.
    """
    a2 = float((table @ fit_weights(sweep)[2]).mean())
    squares = np.square(sweep)
    lines = np.array(
        [np.polynomial.polynomial.polyfit(sweep, row - a2 * squares, 1) for row in table]
    )
    modelled = lines @ np.vander(sweep, 2, increasing=True).T + a2 * squares
    allowed = SAME_QUADRATIC * float(np.abs(table).max())
    misfit = float(np.abs(modelled - table).max())
    # Rows in different orders, or rounded or invented costs, prove nothing about other s.
    if misfit > allowed:
        return None, [None] * len(sweep), 0.0
    return a2, [Line(float(alpha), float(beta)) for alpha, beta in lines], misfit


def _plan_cost(cost: Cost, solution: Solution) -> float:
    entries: NDArray[np.float64] = cost.at(solution.rows, solution.columns)
    return float(entries @ solution.mass)
