"""Judge coincidences of probed points: how improbable they are, and how many points they show."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wassay.transport.anomalies.coincidences import SIGNIFICANCE, Coincidences, ProbedPoints
from wassay.transport.anomalies.finding import Finding, FindingKind
from wassay.transport.anomalies.swept_contributions import Embedding, sample_rows

PROBES = 256
"""Number of points of a measure that are tested for coincidences."""

MIN_COPIES = 12
"""If fewer tested points of a seller coincide with others, 0 is reported as their share."""


def coincidence_finding(
    kind: FindingKind,
    coincidences: Coincidences,
    measures: tuple[ProbedPoints, ProbedPoints],
    others: Embedding,
    seller: Embedding | None = None,
    share: Callable[[], float] | None = None,
) -> Finding | None:
    """Return a finding if more tested points coincide with `others` than chance explains.

    Parameters
    ----------
    kind : str
    coincidences : Coincidences
        The numbers of tested and of coincident points.
    measures : tuple of ProbedPoints
        The two measures that are compared. How often points coincide within each gives the chance.
    others : Embedding
        A seller's points, which the tested points are compared with. The finding names this seller.
    seller : Embedding, optional
        The seller of the tested points, if it is not that of `others`. The finding then names both.
        By default, the tested points are the buyer's or belong to `others`.
    share : callable, optional
        Computes `Finding.share`, which is None by default; called only if there is a finding.

    Returns
    -------
    Finding or None
    """
    one, other = measures
    if coincidences.chance(joint_rate(one.rate, other.rate), others.size) > SIGNIFICANCE:
        return None
    thorough = joint_rate(one.thorough_rate, other.thorough_rate)
    chance = coincidences.chance(thorough, others.size)
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


def coincident_share(
    points: NDArray[np.float64], others: NDArray[np.float64], random: np.random.Generator
) -> float:
    """Estimate the share of `points` that coincide with `others`, from a random sample.

    If fewer than `MIN_COPIES` points of the sample coincide, return 0.
    """
    tested = ProbedPoints(points, sample_rows(random, len(points), PROBES))
    found = tested.coincidences(others)
    return found.found / found.examined if found.found >= MIN_COPIES else 0.0


def joint_rate(one: float, other: float) -> float:
    """Bound the probability that a point of one measure coincides with a point of another.

    `one` is the bound for two points of the first measure, and `other` for two of the second.
    """
    # Let p_i and q_i be the probabilities of a discrete point i. By the Cauchy–Schwarz inequality,
    # Σ p_i q_i ≤ √(Σ p_i² Σ q_i²).
    return math.sqrt(one * other)
