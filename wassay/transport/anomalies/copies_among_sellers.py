"""Find copies among sellers: pairs of sellers whose points coincide or are congruent."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.anomalies.close_points import pairs_that_may_coincide
from wassay.transport.anomalies.coincidence_finding import (
    PROBES,
    coincidence_finding,
    coincident_share,
)
from wassay.transport.anomalies.coincidences import ProbedPoints
from wassay.transport.anomalies.congruent_sellers import congruent_pairs
from wassay.transport.anomalies.finding import Finding
from wassay.transport.anomalies.swept_contributions import Embedding, sample_rows

MAX_PAIRS = 2**28
"""Limit on the pairs of points of different sellers to compare, which takes seconds."""

MIN_PROBES = 24
"""Sellers are not compared if fewer points could be tested: copies could look like chance."""

_LEAST_SIZE = 200
"""Comparing two sellers with fewer points takes as long as if they had this many."""
_MOST_POINTS = 2**19
"""With more points in all, close points are not searched for, as that could take minutes."""
_COMPARISONS_INSTEAD = 10
"""How many comparisons of a point with a seller take as long as searching for its close points."""


def copies_among_sellers(
    embeddings: Sequence[Embedding], probed: Sequence[ProbedPoints], random: np.random.Generator
) -> Iterator[Finding]:
    """Yield a finding for every two sellers whose points coincide or are congruent.

    Parameters
    ----------
    embeddings : sequence of Embedding
        One of each seller.
    probed : sequence of ProbedPoints
        Up to `PROBES` points of each seller.
    random : numpy.random.Generator
        Draws samples for the shares and, if testing all of `probed` takes too long, fewer points.

    Yields
    ------
    Finding
        Only one, of the kind ``not-examined``, if comparing the sellers would take too long.
    """
    sizes = np.array([each.size for each in embeddings], dtype=np.int64)
    chosen = _pairs_to_compare(embeddings, sizes)
    costs = np.maximum(sizes, _LEAST_SIZE)
    work = _pair_work(costs) if chosen is None else sum(max(costs[i], costs[j]) for i, j in chosen)
    probes = min(PROBES, MAX_PAIRS // max(1, int(work)))
    if work and probes < MIN_PROBES:
        yield Finding("not-examined", None, examined=0, found=0)
        return
    if chosen is None:
        chosen = list(combinations(range(len(embeddings)), 2))
    tested = probed
    if probes < PROBES:
        tested = [
            ProbedPoints(each.raw, sample_rows(random, each.size, probes)) for each in embeddings
        ]
    compared = set(chosen)
    congruent = congruent_pairs(embeddings)
    for pair in sorted(compared | congruent):
        smaller, larger = sorted(pair, key=lambda each: (sizes[each], each))
        finding = None
        if pair in compared:
            finding = _copies(
                embeddings[smaller],
                embeddings[larger],
                tested[smaller],
                (probed[smaller], probed[larger]),
                random,
            )
        if finding is None and pair in congruent:
            finding = _congruence(embeddings[smaller], embeddings[larger])
        if finding is not None:
            yield finding


def _pairs_to_compare(
    embeddings: Sequence[Embedding], sizes: NDArray[np.int64]
) -> Collection[tuple[int, int]] | None:
    """Return the pairs of sellers whose points may coincide, by index; None for all pairs."""
    points = int(sizes.sum())
    # With too many points, the search for close points takes too long; with few, comparing is
    # faster.
    if points > _MOST_POINTS or _pair_work(sizes) < _COMPARISONS_INSTEAD * points:
        return None
    return pairs_that_may_coincide([each.raw for each in embeddings])


def _pair_work(sizes: NDArray[np.int64]) -> int:
    """Return the sum, over all pairs of sellers, of the larger seller's size."""
    return int(np.sort(sizes) @ np.arange(len(sizes)))


def _copies(
    smaller: Embedding,
    larger: Embedding,
    tested: ProbedPoints,
    probed: tuple[ProbedPoints, ProbedPoints],
    random: np.random.Generator,
) -> Finding | None:
    """Return a finding if points of the smaller seller coincide with points of the larger.

    `tested` are the smaller seller's points to test, and `probed` some points of each seller.
    """
    # How often the points in `probed` coincide gives the chance.
    return coincidence_finding(
        "copies-seller",
        tested.coincidences(larger.raw),
        probed,
        larger,
        smaller,
        share=partial(_share_of_either, smaller, larger, random),
    )


def _share_of_either(one: Embedding, other: Embedding, random: np.random.Generator) -> float:
    return min(
        coincident_share(one.raw, other.raw, random), coincident_share(other.raw, one.raw, random)
    )


def _congruence(one: Embedding, other: Embedding) -> Finding:
    return Finding(
        "congruent-sellers",
        one.contribution_id,
        one.size,
        one.size,
        other_contribution_id=other.contribution_id,
        share=1.0,
    )
