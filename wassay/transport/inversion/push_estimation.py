"""Estimate an unknown push t from pushed points and the reference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.inversion.normal_cone import invert_push
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.optional_packages import require_solver
from wassay.transport.pushing.reference import SEED_LIMIT, Reference

DRAWS = 8
"""Number of redrawn references that the actual one is compared with."""

TRIAL_SOLVES = 100
"""Limit on the solves of one inversion: at a wrong t, more would only refine wrong records."""

_LOWEST, _HIGHEST, _RESOLUTION = 0.005, 0.995, 5e-4


@dataclass(frozen=True)
class PushEstimate:
    """An estimate of the push t of a measure.

    Attributes
    ----------
    t : float
        The estimate, from 0.005 to 0.995.
    uncertainty : float
        The standard error of t.
    solves : int
        Number of transport problems solved.
    """

    t: float
    uncertainty: float
    solves: int


def redraws(reference: Reference, count: int = DRAWS) -> list[Measure]:
    """Draw references that differ from the given one only by their seeds.

    Parameters
    ----------
    reference : Reference
    count : int

    Returns
    -------
    list of Measure
    """
    return [
        replace(reference, seed=(reference.seed + draw) % SEED_LIMIT).measure()
        for draw in range(1, count + 1)
    ]


def estimate_push(
    pushed: Measure,
    reference: Measure,
    others: Sequence[Measure],
    *,
    max_solves: int = TRIAL_SOLVES,
) -> PushEstimate:
    """Estimate the push t of a measure, given the reference.

    At the right t, the records found correlate with the reference as much as with redrawn
    references.

    Parameters
    ----------
    pushed : Measure
        The pushed measure η(t); every point has mass.
    reference : Measure
        The reference γ, towards which the points were pushed.
    others : sequence of Measure
        Two or more redrawn references (see `redraws`).
    max_solves : int
        Limit on the solves of one inversion. Each t that is tried takes one inversion.

    Returns
    -------
    PushEstimate

    Raises
    ------
    TransportError
        If the reference is one point: then every t gives possible records.
    SolverMissing
        If the extra `solver` is not installed.
    """
    require_solver("estimating a push")
    from scipy.optimize import brentq

    if not np.ptp(reference.points, axis=0).any():
        raise TransportError(
            "expected a reference of several points, received one point: it determines the records "
            "up to a homothety about that point, and one known record gives t"
        )
    # If t is too small, a share of the reference remains in the records, which then correlate more
    # with it. If t is too large, they correlate less.
    solves = 0

    def excess_correlation(t: float) -> float:
        """Invert the push t; return how much more the records correlate with γ than with redraws.

        The unit is one standard deviation of the correlations with redraws.
        """
        nonlocal solves
        inverted = invert_push(pushed, reference, t, max_solves=max_solves)
        records = Measure(inverted.points, pushed.weights)
        by_chance = np.array([_correlation(records, other) for other in others])
        solves += inverted.solves + len(others) + 1
        return float((_correlation(records, reference) - by_chance.mean()) / by_chance.std(ddof=1))

    if excess_correlation(_LOWEST) <= 0:
        t = _LOWEST
    elif excess_correlation(_HIGHEST) >= 0:
        t = _HIGHEST
    else:
        t = float(brentq(excess_correlation, _LOWEST, _HIGHEST, xtol=_RESOLUTION))
    low, high = max(t - 0.01, _LOWEST), min(t + 0.01, _HIGHEST)
    # A change of t by the standard error changes the excess correlation by one deviation.
    slope = (excess_correlation(high) - excess_correlation(low)) / (high - low)
    return PushEstimate(t, 1 / abs(slope) if slope else 1.0, solves)


def invert_unknown_push(
    pushed: Measure,
    reference: Measure,
    others: Sequence[Measure],
    *,
    max_solves: int = TRIAL_SOLVES,
) -> Reconstruction:
    """Estimate the push of a measure, and compute the records with that estimate.

    Parameters
    ----------
    pushed, reference, others, max_solves
        See `estimate_push`.

    Returns
    -------
    Reconstruction

    Raises
    ------
    TransportError
        In the same cases as `estimate_push` and `invert_push`.
    SolverMissing
        If the extra `solver` is not installed.
    """
    estimate = estimate_push(pushed, reference, others, max_solves=max_solves)
    inverted = invert_push(pushed, reference, estimate.t, max_solves=max_solves)
    method = f"t0 estimated to ±{estimate.uncertainty:.2g}, then {inverted.method}"
    return replace(inverted, method=method, solves=inverted.solves + estimate.solves)


def push_from_known_records(
    pushed: ArrayLike, records: ArrayLike, reference_point: ArrayLike
) -> float:
    """Compute t from known records, for a reference of one point.

    Parameters
    ----------
    pushed : array_like, shape (q, d)
        Rows of η(t); one is enough.
    records : array_like, shape (q, d)
        The records behind these rows.
    reference_point : array_like, shape (d,)
        The one point γ of the reference.

    Returns
    -------
    float
        The push t.

    Raises
    ------
    TransportError
        If every known record is at the reference point.
    """
    truth = np.asarray(records, dtype=np.float64)
    whole = np.asarray(reference_point, dtype=np.float64) - truth
    square = float(np.square(whole).sum())
    if square == 0:
        raise TransportError(
            "expected a known record away from the reference point, received none: only such "
            "records move with t"
        )
    # η_i = (1 − t) x_i + t γ lies on the line from its record to γ: fit t by least squares.
    return float(((np.asarray(pushed, dtype=np.float64) - truth) * whole).sum() / square)


def _correlation(records: Measure, reference: Measure) -> float:
    """Return how much records correlate with a reference under the best plan."""
    from wassay.transport.solvers.solve import solve

    x, gamma = _centred(records), _centred(reference)
    # The largest E⟨x, γ⟩ over plans, for centred x and standardised γ.
    cost = solve(PointCost(x, gamma), x.weights, gamma.weights).cost
    variance = _mean_square(gamma)
    return (_mean_square(x) + variance - cost) / (2 * math.sqrt(variance))


def _centred(measure: Measure) -> Measure:
    return Measure(measure.points - measure.mean, measure.weights)


def _mean_square(measure: Measure) -> float:
    return float(measure.weights @ np.einsum("ij,ij->i", measure.points, measure.points))
