"""Detect anomalies in all contributions to a request."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.anomalies.coincidences import (
    SIGNIFICANCE,
    Coincidences,
    ProbedPoints,
    pairs_that_may_coincide,
)
from wassay.transport.anomalies.finding import Finding, FindingKind
from wassay.transport.anomalies.impossible_arrays import impossible_blocks, impossible_measures
from wassay.transport.anomalies.swept_contributions import (
    ANCHORS,
    Embedding,
    SweptContribution,
    SweptMeasures,
    anchor_distances,
    embed,
    sample_rows,
)
from wassay.transport.anomalies.understated_spread import understated_spread
from wassay.transport.anomalies.weightless_points import weightless_points
from wassay.transport.costs.cost import Power
from wassay.transport.measure import Measure

PROBES = 256
"""Number of points of a measure that are tested for coincidences."""

MAX_PAIRS = 2**28
"""Limit on the pairs of points of different sellers to compare, which takes seconds."""

MIN_PROBES = 24
"""Sellers are not compared if fewer points could be tested: copies could look like chance."""

MIN_COPIES = 12
"""If fewer tested points of a seller coincide with others, 0 is reported as their share."""

_PUSHES = 1001
_EQUAL_RADII, _DISTINCT_RADII, _MIN_DISTINCT = 1e-5, 1e-4, 8
"""Two sellers are congruent if their points' sorted distances from the mean agree to 1e-5 of the
largest distance, and at least 8 gaps between these distances exceed 1e-4 of the largest."""
_DISTANCES_INSTEAD_OF_A_PAIR = 10_000
"""How many distances between points take as long as comparing one pair of sellers."""
_UNMOVED = 1e-12
"""A point counts as unmoved if its squared distance to its image is below this share of the largest
squared distance to an anchor."""


def detect_anomalies(
    buyer: Measure,
    contributions: Iterable[SweptContribution],
    p: Power = 2,
    *,
    random: np.random.Generator | None = None,
) -> list[Finding]:
    """Detect anomalies of every kind that `Finding` lists.

    Points are tested in random samples, so a second run may find other anomalies. Contributions are
    read one at a time.

    Parameters
    ----------
    buyer : Measure, m points
        The buyer's pushed points η_μ(t0), as uploaded.
    contributions : iterable of SweptMeasures or SweptBlocks
        Each has at least three values of s.
    p : {1, 2}
        Power of the distances in cost blocks.
    random : numpy.random.Generator, optional
        Draws the points to test; unpredictable by default.

    Returns
    -------
    list of Finding
        Empty if there is no anomaly.
    """
    random = random or np.random.default_rng()
    # Points are compared by their squared distances to the anchors; only these stay in memory.
    anchors = sample_rows(random, buyer.size, ANCHORS)
    buyer_distances = anchor_distances(Measure(buyer.points[anchors]), buyer)
    tested = ProbedPoints(buyer_distances, sample_rows(random, buyer.size, PROBES))
    own = tested.repetitions()
    embeddings, rates = [], []
    findings: list[Finding | None] = []
    for contribution in contributions:
        if isinstance(contribution, SweptMeasures):
            findings += [impossible_measures(contribution), understated_spread(contribution)]
            weights: NDArray[np.float64] | None = next(iter(contribution.measures.values())).weights
        else:
            findings.append(impossible_blocks(contribution, buyer, p, random))
            weights = contribution.weights
        findings.append(weightless_points(contribution.contribution_id, weights))
        embedding = embed(contribution, buyer, anchors, p)
        rows = sample_rows(random, embedding.size, PROBES)
        repetitions = ProbedPoints(embedding.raw, rows).repetitions()
        findings += [
            _coincidence_finding("repeats-points", repetitions, own.rate, embedding),
            _copies_of_buyer(
                embedding, buyer_distances, tested, _joint_rate(own.rate, repetitions.rate), random
            ),
        ]
        embeddings.append(embedding)
        rates.append(repetitions.rate)
    findings += _copies_among_sellers(embeddings, rates, random)
    return [finding for finding in findings if finding is not None]


def _coincidence_finding(
    kind: FindingKind,
    coincidences: Coincidences,
    rate: float,
    others: Embedding,
    seller: Embedding | None = None,
    share: Callable[[], float] | None = None,
) -> Finding | None:
    """Return a finding if chance does not explain the coincidences with the points of `others`.

    `rate` bounds the probability that two given points coincide. Without `seller`, the finding
    concerns the seller of `others` alone. With it, the finding concerns both, and the tested points
    are those of `seller`. `share` returns `Finding.share`.
    """
    chance = coincidences.chance(rate, others.size)
    if chance > SIGNIFICANCE:
        return None
    return Finding(
        kind,
        (seller or others).contribution_id,
        coincidences.examined,
        coincidences.found,
        other_contribution_id=None if seller is None else others.contribution_id,
        chance=chance,
        share=None if share is None else share(),
    )


def _coincident_share(
    points: NDArray[np.float64], others: NDArray[np.float64], random: np.random.Generator
) -> float:
    """Estimate the share of `points` that coincide with `others`, from a random sample.

    Return 0 if fewer than `MIN_COPIES` points of the sample coincide.
    """
    tested = ProbedPoints(points, sample_rows(random, len(points), PROBES))
    found = tested.coincidences(others)
    return found.found / found.examined if found.found >= MIN_COPIES else 0.0


def _joint_rate(one: float, other: float) -> float:
    """Bound the probability that points of two measures coincide.

    `one` bounds it for two points of the first measure, and `other` for two of the second.
    """
    # Let p_i and q_i be the probabilities of a discrete point i. By the Cauchy–Schwarz inequality,
    # Σ p_i q_i ≤ √(Σ p_i² Σ q_i²).
    return math.sqrt(one * other)


def _copies_of_buyer(
    embedding: Embedding,
    buyer_distances: NDArray[np.float64],
    tested: ProbedPoints,
    rate: float,
    random: np.random.Generator,
) -> Finding | None:
    """Return a finding if the buyer's points coincide with those of a seller, pushed by about t0.

    `embedding` has the seller's points, and `buyer_distances` the embeddings of the buyer's points.
    `tested` are some of the buyer's points. `rate` bounds the probability that one of these and one
    of the seller's coincide by chance.
    """
    strongest, push = max(
        (
            (tested.coincidences(embedding.at(push)), push)
            for push in _candidate_pushes(embedding, buyer_distances)
        ),
        key=lambda each: each[0].found,
    )
    return _coincidence_finding(
        "copies-buyer",
        strongest,
        rate,
        embedding,
        share=lambda: _coincident_share(embedding.at(push), buyer_distances, random),
    )


def _copies_among_sellers(
    embeddings: list[Embedding], rates: list[float], random: np.random.Generator
) -> Iterator[Finding | None]:
    """For each pair of sellers, yield a finding of copies or of congruence, or None.

    `rates` has each seller's `Repetitions.rate`. If there are too many sellers, none are compared,
    and only a finding that says so is yielded.
    """
    pairs = list(combinations(zip(embeddings, rates, strict=True), 2))
    sizes = sum(max(one.size, other.size) for (one, _), (other, _) in pairs)
    probes = min(PROBES, MAX_PAIRS // max(1, sizes))
    if pairs and probes < MIN_PROBES:
        yield Finding("not-examined", None, examined=0, found=0)
        return
    may_coincide = _pairs_that_may_coincide(embeddings)
    is_distinct = [_has_distinct_radii(each) for each in embeddings]
    for (i, j), pair in zip(combinations(range(len(embeddings)), 2), pairs, strict=True):
        (smaller, one), (larger, other) = sorted(pair, key=lambda each: each[0].size)
        finding = None
        if may_coincide is None or (i, j) in may_coincide:
            rows = sample_rows(random, smaller.size, probes)
            coincidences = ProbedPoints(smaller.raw, rows).coincidences(larger.raw)
            finding = _coincidence_finding(
                "copies-seller",
                coincidences,
                _joint_rate(one, other),
                larger,
                smaller,
                share=partial(_share_of_either, smaller, larger, random),
            )
        if finding is None and is_distinct[i] and _have_equal_radii(smaller, larger):
            finding = Finding(
                "congruent-sellers",
                smaller.contribution_id,
                smaller.size,
                smaller.size,
                other_contribution_id=larger.contribution_id,
                share=1.0,
            )
        yield finding


def _pairs_that_may_coincide(embeddings: list[Embedding]) -> set[tuple[int, int]] | None:
    """Return the pairs of sellers whose points may coincide, by index.

    Return None if comparing all pairs takes less time than this search.
    """
    points = sum(each.size for each in embeddings)
    pairs = math.comb(len(embeddings), 2)
    if points**2 > _DISTANCES_INSTEAD_OF_A_PAIR * pairs:
        return None
    return pairs_that_may_coincide([each.raw for each in embeddings])


def _share_of_either(one: Embedding, other: Embedding, random: np.random.Generator) -> float:
    return min(
        _coincident_share(one.raw, other.raw, random), _coincident_share(other.raw, one.raw, random)
    )


def _has_distinct_radii(embedding: Embedding) -> bool:
    """Return whether enough of the points have different distances from their mean.

    Return False if the distances are unknown.
    """
    if embedding.radii is None:
        return False
    gaps = np.diff(embedding.radii) > _DISTINCT_RADII * float(embedding.radii[-1])
    return bool(np.count_nonzero(gaps) >= _MIN_DISTINCT)


def _have_equal_radii(one: Embedding, other: Embedding) -> bool:
    """Return whether two sellers' points have the same distances from their means.

    If so, they are probably the same up to an isometry. Return False if distances are unknown.
    """
    if one.size != other.size or one.radii is None or other.radii is None:
        return False
    apart = float(np.abs(one.radii - other.radii).max())
    return apart <= _EQUAL_RADII * float(one.radii[-1])


def _candidate_pushes(embedding: Embedding, buyer_distances: NDArray[np.float64]) -> list[float]:
    """Return two guesses of t0, in case the seller copied the buyer's points.

    The first is right if all of the seller's points are copies, the second if some of them are.
    `buyer_distances` has the embeddings of the buyer's points, shape (m, anchors).
    """
    return [
        _push_matching_means(embedding, buyer_distances.mean(axis=0)),
        _push_hitting_anchors(embedding),
    ]


def _push_matching_means(embedding: Embedding, target: NDArray[np.float64]) -> float:
    """Return the push at which the mean of the seller's embeddings is nearest to `target`.

    `target` is the mean of the buyer's embeddings, shape (anchors,).
    """
    start, slope, bend = embedding.coefficients.mean(axis=1)

    def nearest(pushes: NDArray[np.float64]) -> float:
        column = pushes[:, None]
        off = start + column * (slope + column * bend) - target
        return float(pushes[np.argmin(np.einsum("ij,ij->i", off, off))])

    rough, width = nearest(np.linspace(0, 1, _PUSHES)), 1 / (_PUSHES - 1)
    return nearest(np.linspace(rough - width, rough + width, _PUSHES))


def _push_hitting_anchors(embedding: Embedding) -> float:
    """Return the push that brings the seller's points near the most anchors."""
    start, slope, bend = embedding.coefficients
    moving = bend > _UNMOVED * np.abs(start).max()
    push = np.clip(np.where(moving, -slope, 0) / np.where(moving, 2 * bend, 1), 0, 1)
    misses = start + push * (slope + push * bend)
    anchors = np.arange(misses.shape[1])
    # A copied point, pushed by t0, lies on its original. So each anchor votes for the push at which
    # a point of the seller comes nearest to it.
    nearest_pushes = push[np.argmin(misses, axis=0), anchors]
    agreeing = np.abs(nearest_pushes[:, None] - nearest_pushes) < 1 / _PUSHES
    return float(nearest_pushes[np.argmax(agreeing.sum(axis=1))])
