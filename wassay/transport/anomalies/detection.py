"""Detect anomalies in all contributions to a request."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from wassay.transport.anomalies.coincidence_finding import (
    PROBES,
    coincidence_finding,
    coincident_share,
)
from wassay.transport.anomalies.coincidences import ProbedPoints
from wassay.transport.anomalies.copies_among_sellers import copies_among_sellers
from wassay.transport.anomalies.finding import Finding
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

_PUSHES = 1001
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

    Points are tested in random samples, so a second run may find other anomalies.

    Parameters
    ----------
    buyer : Measure, m points
        The buyer's pushed points η_μ(t0), as uploaded.
    contributions : iterable of SweptMeasures or SweptBlocks
        Each has at least three values of s. They are read one at a time.
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
    embeddings, probed = [], []
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
        points = ProbedPoints(embedding.raw, rows)
        findings += [
            coincidence_finding(
                "repeats-points", points.repetitions(), (tested, tested), embedding
            ),
            _copies_of_buyer(embedding, points, buyer_distances, tested, random),
        ]
        embeddings.append(embedding)
        probed.append(points)
    findings += copies_among_sellers(embeddings, probed, random)
    return [finding for finding in findings if finding is not None]


def _copies_of_buyer(
    embedding: Embedding,
    points: ProbedPoints,
    buyer_distances: NDArray[np.float64],
    tested: ProbedPoints,
    random: np.random.Generator,
) -> Finding | None:
    """Return a finding if points of the buyer coincide with a seller's, pushed by a guess of t0.

    `points` are some of the seller's points, and `tested` some of the buyer's.
    """
    strongest, push = max(
        (
            (tested.coincidences(embedding.at(push)), push)
            for push in _candidate_pushes(embedding, buyer_distances)
        ),
        key=lambda each: each[0].found,
    )
    return coincidence_finding(
        "copies-buyer",
        strongest,
        (tested, points),
        embedding,
        share=lambda: coincident_share(embedding.at(push), buyer_distances, random),
    )


def _candidate_pushes(embedding: Embedding, buyer_distances: NDArray[np.float64]) -> list[float]:
    """Guess t0 in two ways, supposing that the seller copied points of the buyer.

    `buyer_distances` has the embeddings of the buyer's points, shape (m, anchors).
    """
    return [
        # Right if all of the seller's points are copies.
        _push_matching_means(embedding, buyer_distances.mean(axis=0)),
        # Right if some of them are.
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
