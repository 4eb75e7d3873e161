"""Examining all answers to a request."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Power
from wassay.transport.findings.answers import (
    ANCHORS,
    Answer,
    Cloud,
    SweptMeasures,
    cloud,
    seen_from,
    some,
)
from wassay.transport.findings.coincidences import LEAST_LIKELY, Coincidences, repeated, shared
from wassay.transport.findings.finding import Finding, FindingKind
from wassay.transport.findings.impossible import impossible_blocks, impossible_measures
from wassay.transport.findings.spread import understated_spread
from wassay.transport.findings.weights import weightless_points
from wassay.transport.measure import Measure

PROBES = 256
"""How many points of a measure are looked at for coincidences."""

MOST_PAIRS = 2**28
"""How many pairs of points of different sellers are looked at: some seconds."""

FEWEST_PROBES = 24
"""With fewer, sellers are not compared: it would hardly tell copies from chance."""

_PUSHES = 1001
_SAME, _DISTINCT, _TELLING = 1e-5, 1e-4, 8
"""Eight radii that differ, each the same in both to a share of the largest, are no chance."""
_STILL = 1e-12
"""Points that a push moves less than this share of their distances do not move."""


def examine(
    buyer: Measure,
    answers: Iterable[Answer],
    p: Power = 2,
    *,
    random: np.random.Generator | None = None,
) -> list[Finding]:
    """Look for copies, repeated points and impossible arrays among the answers to a request.

    Costs m + n distances to 32 anchors a seller, the neighbours of 256 of their points, and at most
    2²⁸ pairs between sellers: with more, fewer points of each are looked at. Answers are read one
    after the other, and only what the anchors see of them is kept.

    Parameters
    ----------
    buyer : Measure
        η_μ(t0), as uploaded.
    answers : iterable of SweptMeasures or SweptBlocks
        Each over at least three s.
    p : {1, 2}
        Power of the distances in cost blocks.
    random : numpy.random.Generator, optional
        Chooses what is looked at; by default in a way that nobody can foresee.
    """
    random = random or np.random.default_rng()
    anchors = some(random, buyer.size, ANCHORS)
    places = seen_from(Measure(buyer.points[anchors]), buyer)
    probes = some(random, buyer.size, PROBES)
    own = repeated(places, probes)
    clouds, rates = [], []
    findings: list[Finding | None] = []
    for answer in answers:
        if isinstance(answer, SweptMeasures):
            findings += [impossible_measures(answer), understated_spread(answer)]
            weights: NDArray[np.float64] | None = next(iter(answer.measures.values())).weights
        else:
            findings.append(impossible_blocks(answer, buyer, p, random))
            weights = answer.weights
        findings.append(weightless_points(answer.contribution_id, weights))
        seen = cloud(answer, buyer, anchors, p)
        among = repeated(seen.raw, some(random, seen.size, PROBES))
        findings += [
            _told("repeats-points", among, own.rate, seen),
            _copies(seen, places, probes, _crossed(own.rate, among.rate)),
        ]
        clouds.append(seen)
        rates.append(among.rate)
    findings += _copies_of_each_other(clouds, rates, random)
    return [finding for finding in findings if finding is not None]


def _told(
    kind: FindingKind,
    coincidences: Coincidences,
    rate: float,
    others: Cloud,
    seller: Cloud | None = None,
) -> Finding | None:
    """Make a finding of coincidences with `others`, where they are no chance."""
    chance = coincidences.chance(rate, others.size)
    if chance > LEAST_LIKELY:
        return None
    return Finding(
        kind,
        (seller or others).contribution_id,
        coincidences.examined,
        coincidences.found,
        other_contribution_id=None if seller is None else others.contribution_id,
        chance=chance,
    )


def _crossed(one: float, other: float) -> float:
    """How probable it is at most that points of two measures coincide, by each one's own rate.

    Σ p_i q_i ≤ √(Σ p_i² Σ q_i²): points of few values lie on each other only where both repeat.
    """
    return math.sqrt(one * other)


def _copies(
    seen: Cloud, places: NDArray[np.float64], probes: NDArray[np.intp], rate: float
) -> Finding | None:
    """The buyer's points lie on the seller's at some push, which is t0 then."""
    most = max(
        (shared(places, probes, seen.at(push)) for push in _likely_pushes(seen, places)),
        key=lambda each: each.found,
    )
    return _told("copies-buyer", most, rate, seen)


def _copies_of_each_other(
    clouds: list[Cloud], rates: list[float], random: np.random.Generator
) -> Iterator[Finding | None]:
    pairs = list(combinations(zip(clouds, rates, strict=True), 2))
    sizes = sum(max(one.size, other.size) for (one, _), (other, _) in pairs)
    probes = min(PROBES, MOST_PAIRS // max(1, sizes))
    if pairs and probes < FEWEST_PROBES:
        yield Finding("not-examined", None, examined=0, found=0)
        return
    for pair in pairs:
        (few, one), (many, other) = sorted(pair, key=lambda each: each[0].size)
        both = shared(few.raw, some(random, few.size, probes), many.raw)
        found = _told("copies-seller", both, _crossed(one, other), many, few)
        if found is None and _are_congruent(few, many):
            found = Finding(
                "congruent-sellers",
                few.contribution_id,
                few.size,
                few.size,
                other_contribution_id=many.contribution_id,
            )
        yield found


def _are_congruent(one: Cloud, other: Cloud) -> bool:
    if one.size != other.size or one.radii is None or other.radii is None:
        return False
    extent = float(one.radii[-1])
    different = int(np.count_nonzero(np.diff(one.radii) > _DISTINCT * extent))
    same = bool(np.abs(one.radii - other.radii).max() <= _SAME * extent)
    return same and different >= _TELLING


def _likely_pushes(seen: Cloud, places: NDArray[np.float64]) -> list[float]:
    """Where the seller's points would be the buyer's, if they are: t0 is not known.

    Either all of them are: then their mean meets the buyer's. Or some are exactly: then the lines
    of these pass through anchors, all at one push.
    """
    return [_meeting_of_means(seen, places.mean(axis=0)), _common_passing(seen)]


def _meeting_of_means(seen: Cloud, target: NDArray[np.float64]) -> float:
    start, slope, bend = seen.coefficients.mean(axis=1)

    def nearest(pushes: NDArray[np.float64]) -> float:
        column = pushes[:, None]
        off = start + column * (slope + column * bend) - target
        return float(pushes[np.argmin(np.einsum("ij,ij->i", off, off))])

    rough, width = nearest(np.linspace(0, 1, _PUSHES)), 1 / (_PUSHES - 1)
    return nearest(np.linspace(rough - width, rough + width, _PUSHES))


def _common_passing(seen: Cloud) -> float:
    start, slope, bend = seen.coefficients
    moves = bend > _STILL * np.abs(start).max()
    push = np.clip(np.where(moves, -slope, 0) / np.where(moves, 2 * bend, 1), 0, 1)
    missed = start + push * (slope + push * bend)
    anchors = np.arange(missed.shape[1])
    passings = push[np.argmin(missed, axis=0), anchors]
    agreeing = np.abs(passings[:, None] - passings) < 1 / _PUSHES
    return float(passings[np.argmax(agreeing.sum(axis=1))])
