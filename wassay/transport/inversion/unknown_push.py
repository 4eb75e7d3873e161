"""What a push was, when it was not said: t is no secret from whoever knows the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from wassay.transport.cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.exact import solve
from wassay.transport.inversion.pushed import MAX_SOLVES, invert_push
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.reference import SEED_LIMIT, Reference

DRAWS = 8
"""References that could as well have been drawn, to compare with the one that was."""

_TRIAL_SOLVES = 60
_LOWEST, _HIGHEST, _RESOLUTION = 0.005, 0.995, 1e-4


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


def estimate_push(pushed: Measure, reference: Measure, others: Sequence[Measure]) -> PushEstimate:
    """Estimate t from η(t) by a test of exchangeability.

    The records were there before the reference was drawn, so the reference is as near to them as
    any other draw from its distribution. Inverted with too small a t, they keep some of this
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

    Raises
    ------
    TransportError
        When the reference has no randomness: then every t gives records that could be true.
    """
    if all(np.array_equal(other.points, reference.points) for other in others):
        raise TransportError(
            "every draw of this reference is the same, so nothing tells its push from a change of "
            "the records' scale: give t, or take the records as known up to a homothety"
        )
    solves = 0

    def nearness(t: float) -> float:
        """Of the records to their own reference, in standard deviations over the others."""
        nonlocal solves
        inverted = invert_push(pushed, reference, t, max_solves=_TRIAL_SOLVES)
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
    max_solves: int = MAX_SOLVES,
) -> Reconstruction:
    """Estimate t, then invert η(t) as if the estimate were true.

    Raises
    ------
    TransportError
        As `estimate_push` and `invert_push` do.
    """
    found = estimate_push(pushed, reference, others)
    inverted = invert_push(pushed, reference, found.t, max_solves=max_solves)
    method = f"t0 estimated to ±{found.uncertainty:.2g}, then {inverted.method}"
    return replace(inverted, method=method, solves=inverted.solves + found.solves)


def _correlation(records: Measure, reference: Measure) -> float:
    """Largest E⟨x, γ⟩ over plans, for a reference scaled to a mean square of one."""
    cost = solve(PointCost(records, reference), records.weights, reference.weights).cost
    square = _mean_square(reference)
    scale = np.sqrt(square) if square else 1.0
    return float((_mean_square(records) + square - cost) / (2 * scale))


def _mean_square(measure: Measure) -> float:
    return float(measure.weights @ np.einsum("ij,ij->i", measure.points, measure.points))
