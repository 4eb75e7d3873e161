"""Refine a sweep adaptively, for callers who can compute costs at any s."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

from numpy.typing import ArrayLike

from wassay.transport.costs.cost import Cost
from wassay.transport.errors import TransportError
from wassay.transport.solvers.solution import Solution
from wassay.transport.solvers.solve import solve
from wassay.transport.sweeps.curve import DistanceCurve, SweepPoint
from wassay.transport.sweeps.sweep import distance_curve


def refine(
    cost_at: Callable[[float], Cost],
    row_weights: ArrayLike,
    column_weights: ArrayLike,
    *,
    width: float = 0.01,
    between: tuple[float, float] = (0.05, 0.95),
    max_solves: int = 64,
) -> DistanceCurve:
    """Solve at more and more s, until the bracket of f = W_2 is narrow throughout `between`.

    Parameters
    ----------
    cost_at : callable
        Returns the cost at s, for p = 2.
    row_weights : array_like, shape (n,)
    column_weights : array_like, shape (m,)
        Weights of the two measures' points, the same at every s.
    width : float
        Largest (upper − lower) / upper of the bracket of f at any s in `between`.
    between : tuple of float
        The least and the greatest s at which to solve, in (0, 1).
    max_solves : int
        Limit on the solves, for widths that float64 cannot resolve.

    Returns
    -------
    DistanceCurve

    Raises
    ------
    TransportError
        If weights or `between` are invalid, or if costs are not quadratic in s with one s² term for
        all plans.
    NotCertified
        If a solution cannot be proven optimal.
    """
    low, high = between
    costs: dict[float, Cost] = {}
    solutions: dict[float, Solution] = {}
    upcoming = [low, (low + high) / 2, high]
    while True:
        for s in upcoming:
            costs[s] = cost_at(s)
            solutions[s] = solve(costs[s], row_weights, column_weights)
        curve = distance_curve(2, costs, solutions)
        # Between two solved s, the bracket of f² is widest where the lines of the two plans cross
        # (Eisner and Severance 1976).
        crossings = [_crossing(curve, *pair) for pair in pairwise(curve.points)]
        relative, widest = max((_relative_width(curve, s), s) for s in crossings)
        if relative <= width or widest in solutions or len(solutions) >= max_solves:
            return curve
        upcoming = [widest]


def _crossing(curve: DistanceCurve, left: SweepPoint, right: SweepPoint) -> float:
    """Return the s between two points at which their lines cross, or the s halfway if they do not.

    Raise TransportError if a point has no line.
    """
    if left.line is None or right.line is None:
        raise TransportError(
            "expected costs that are quadratic in s, with the same s² term for every plan; those "
            f"at s = {list(curve.sweep)} are not. Pass the squared distances of η_ν(s) in float64"
        )
    slope = left.line.beta - right.line.beta
    rise = right.line.alpha - left.line.alpha
    s = rise / slope if slope else math.nan
    return s if left.s < s < right.s else (left.s + right.s) / 2


def _relative_width(curve: DistanceCurve, s: float) -> float:
    bracket = curve.bracket(s)
    if bracket is None or bracket[1] <= 0:
        return 0.0
    return 1 - math.sqrt(bracket[0] / bracket[1])
