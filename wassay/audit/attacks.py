"""Which attack a receiver has, by what is sent and what the receiver holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.audit.sent import Arrays, BuyerMeasure, SellerMeasures
from wassay.transport import Measure, Reference, TransportError
from wassay.transport.inversion import (
    TRIAL_SOLVES,
    Reconstruction,
    block_without_push,
    extrapolate,
    invert_push,
    invert_unknown_push,
    other_draws,
    push_of_known_records,
    trilaterate,
)

Movement = Callable[[Measure], Measure]
"""Moves a measure's points, in order, so that their distances stay."""

_ENOUGH_BLOCKS = 3
_PAIRS, _FEWEST_SOLVES, _MOST_SOLVES = 100_000_000, 5, 2_000


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an attack reached.

    Attributes
    ----------
    reconstruction : Reconstruction
    push : float or None
        How far the reconstructed points are still pushed towards the reference: 0 for the records
        themselves, None where that is not known.
    guessed : bool
        Whether the push was undone on an estimate of it.
    """

    reconstruction: Reconstruction
    push: float | None
    guessed: bool = False


@dataclass(frozen=True, eq=False)
class Secrets:
    """What parties share and a sealed request keeps from the service: γ and the isometry."""

    reference: Reference
    isometry: Movement

    def measure(self) -> Measure:
        """γ where the sent points are."""
        return self.isometry(self.reference.measure())

    def other_draws(self) -> list[Measure]:
        """What γ could as well have been, where the sent points are."""
        return [self.isometry(other) for other in other_draws(self.reference)]


class ScaleUnknown(TransportError):  # noqa: N818 - named for what it says
    """The records are known up to one factor, for want of a known record."""


def without_secrets(sent: Arrays, weights: NDArray[np.float64]) -> Outcome:
    """Attack as one who has what was sent and no more.

    Parameters
    ----------
    sent : SellerMeasures, SellerCostBlocks or BuyerMeasure
    weights : ndarray, shape (n,)
        Of the records.

    Returns
    -------
    Outcome
        Up to the isometry, if one has moved what was sent.
    """
    if isinstance(sent, BuyerMeasure):
        return Outcome(_as_sent(sent.measure), None)
    if isinstance(sent, SellerMeasures):
        first, last = min(sent.measures), max(sent.measures)
        if first == last:
            return Outcome(_as_sent(sent.measures[first]), first)
        return Outcome(extrapolate(sent.measures[first], sent.measures[last], first, last), 0.0)
    if len(sent.blocks) >= _ENOUGH_BLOCKS:
        squared = block_without_push(sent.blocks, sent.order)
        return Outcome(trilaterate(squared, sent.buyer.points, sent.classes), 0.0)
    located = {
        s: trilaterate(block ** (2 / sent.order), sent.buyer.points, sent.classes)
        for s, block in sent.blocks.items()
    }
    if not all(found.complete for found in located.values()):
        s = min(located)
        return Outcome(located[s], s)
    measures = {s: Measure(found.points, weights) for s, found in located.items()}
    found = without_secrets(SellerMeasures(measures), weights)
    method = f"trilateration, then {found.reconstruction.method}"
    return Outcome(replace(found.reconstruction, method=method), found.push)


def with_secrets(
    sent: Arrays,
    weights: NDArray[np.float64],
    secrets: Secrets,
    known_rows: NDArray[np.intp],
    known_records: NDArray[np.float64],
) -> Outcome:
    """Attack as one who also knows the reference, and the isometry where there is one.

    Known records serve only where t0 is unknown and the reference is all at one place: there one
    of them is needed, and enough.

    Raises
    ------
    ScaleUnknown
        When it is needed and missing.
    """
    found = without_secrets(sent, weights)
    if found.push == 0 or not found.reconstruction.complete:
        return found
    pushed = Measure(found.reconstruction.points, weights)
    reference = secrets.measure()
    solves = _affordable_solves(pushed, reference)
    if found.push is not None:
        return Outcome(invert_push(pushed, reference, found.push, max_solves=solves), 0.0)
    if np.ptp(reference.points, axis=0).any():
        solves = min(solves, TRIAL_SOLVES)
        return Outcome(
            _at_guessed_push(sent, pushed, reference, secrets, solves), 0.0, guessed=True
        )
    place = reference.points[0]
    try:
        t0 = push_of_known_records(pushed.points[known_rows], known_records, place)
    except TransportError as error:
        raise ScaleUnknown(str(error)) from error
    inverted = invert_push(pushed, reference, t0)
    method = f"t0 from a known record, then {inverted.method}"
    return Outcome(replace(inverted, method=method), 0.0)


def _at_guessed_push(
    sent: Arrays, pushed: Measure, reference: Measure, secrets: Secrets, solves: int
) -> Reconstruction:
    if isinstance(sent, BuyerMeasure) and sent.push is not None:
        inverted = invert_push(pushed, reference, sent.push, max_solves=solves)
        return replace(inverted, method=f"t0 guessed, then {inverted.method}")
    others = secrets.other_draws()
    return invert_unknown_push(pushed, reference, others, max_solves=solves)


def _as_sent(measure: Measure) -> Reconstruction:
    return Reconstruction(
        points=measure.points,
        method="the points as sent",
        residual=0.0,
        rank=measure.dimension,
        rest=np.zeros(measure.size),
        solves=0,
        queries=1,
    )


def _affordable_solves(pushed: Measure, reference: Measure) -> int:
    """How often an audit may solve; an attacker has more time, and a residual says so."""
    solves = _PAIRS // (pushed.size * reference.size)
    return min(max(solves, _FEWEST_SOLVES), _MOST_SOLVES)
