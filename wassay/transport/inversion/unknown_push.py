"""What a push was, when it was not said: t is no secret from whoever knows the reference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.inversion.pushed import invert_push
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.pushing.reference import SEED_LIMIT, Reference
from wassay.transport.solver import require_solver

DRAWS = 8
"""References that could as well have been drawn, to compare with the one that was."""

TRIAL_SOLVES = 100
"""Solves of one inversion: at a wrong t, more of them only approach wrong records."""

_LOWEST, _HIGHEST, _RESOLUTION = 0.005, 0.995, 5e-4


@dataclass(frozen=True)
class PushEstimate:
    """An estimate of t.

    Attributes
    ----------
    t : float
    uncertainty : float
        How much t changes when the statistic changes by one standard deviation over references.
    solves : int
        Transport problems that the estimate took.
    """

    t: float
    uncertainty: float
    solves: int


def other_draws(reference: Reference, count: int = DRAWS) -> list[Measure]:
    """Draw references that could as well have been the one that was, from other seeds."""
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
    """Estimate t from η(t) by a test of exchangeability.

    The records were there before the reference was drawn, so the reference is as near to them as
    any other draw of as many points. Inverted with too small a t, they keep some of this
    reference and look nearer to it; with too large a t, farther. The estimate is the t at which
    the correlation E⟨x, γ⟩ under an optimal plan is what other draws have on average.

    Parameters
    ----------
    pushed : Measure
        η(t).
    reference : Measure
        The one that it was pushed towards.
    others : sequence of Measure
        Two or more other draws, as `other_draws` makes them.
    max_solves : int
        Of one inversion, at each t that is tried.

    Raises
    ------
    TransportError
        When the reference is all at one place: then every t gives records that could be true.
    SolverMissing
        If the extra `solver` is not installed.
    """
    require_solver("estimating a push")
    from scipy.optimize import brentq

    if not np.ptp(reference.points, axis=0).any():
        raise TransportError(
            "a reference that is all at one place moves all records alike, so its push cannot be "
            "told from a change of their scale: the records are known up to a homothety about that "
            "place, and one record that is known gives t"
        )
    solves = 0

    def nearness(t: float) -> float:
        """Of the records to their own reference, in standard deviations over the others."""
        nonlocal solves
        inverted = invert_push(pushed, reference, t, max_solves=max_solves)
        records = Measure(inverted.points, pushed.weights)
        by_chance = np.array([_correlation(records, other) for other in others])
        solves += inverted.solves + len(others) + 1
        return float((_correlation(records, reference) - by_chance.mean()) / by_chance.std(ddof=1))

    if nearness(_LOWEST) <= 0:
        t = _LOWEST
    elif nearness(_HIGHEST) >= 0:
        t = _HIGHEST
    else:
        t = float(brentq(nearness, _LOWEST, _HIGHEST, xtol=_RESOLUTION))
    low, high = max(t - 0.01, _LOWEST), min(t + 0.01, _HIGHEST)
    slope = (nearness(high) - nearness(low)) / (high - low)
    return PushEstimate(t, 1 / abs(slope) if slope else 1.0, solves)


def invert_unknown_push(
    pushed: Measure,
    reference: Measure,
    others: Sequence[Measure],
    *,
    max_solves: int = TRIAL_SOLVES,
) -> Reconstruction:
    """Estimate t, then invert η(t) as if the estimate were true.

    Raises
    ------
    TransportError
        As `estimate_push` and `invert_push` do.
    """
    found = estimate_push(pushed, reference, others, max_solves=max_solves)
    inverted = invert_push(pushed, reference, found.t, max_solves=max_solves)
    method = f"t0 estimated to ±{found.uncertainty:.2g}, then {inverted.method}"
    return replace(inverted, method=method, solves=inverted.solves + found.solves)


def push_of_known_records(pushed: ArrayLike, records: ArrayLike, place: ArrayLike) -> float:
    """Compute t from records that are known, for a reference that is all at one place.

    Every η_i = (1 − t) x_i + t γ lies on the line from its record to that place.

    Parameters
    ----------
    pushed, records : array_like, shape (q, d)
        Rows and the records that they are known to be; one is enough.
    place : array_like, shape (d,)

    Raises
    ------
    TransportError
        When no known record lies anywhere but at that place.
    """
    truth = np.asarray(records, dtype=np.float64)
    whole = np.asarray(place, dtype=np.float64) - truth
    square = float(np.square(whole).sum())
    if square == 0:
        raise TransportError(
            "t shows in how far known records moved, and none was given that could move"
        )
    return float(((np.asarray(pushed, dtype=np.float64) - truth) * whole).sum() / square)


def _correlation(records: Measure, reference: Measure) -> float:
    """Largest E⟨x, γ⟩ over plans, both centred and the reference scaled to a variance of one."""
    from wassay.transport.solvers.exact import solve

    x, gamma = _centred(records), _centred(reference)
    cost = solve(PointCost(x, gamma), x.weights, gamma.weights).cost
    variance = _mean_square(gamma)
    return (_mean_square(x) + variance - cost) / (2 * math.sqrt(variance))


def _centred(measure: Measure) -> Measure:
    return Measure(measure.points - measure.mean, measure.weights)


def _mean_square(measure: Measure) -> float:
    return float(measure.weights @ np.einsum("ij,ij->i", measure.points, measure.points))
