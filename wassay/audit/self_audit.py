"""Attack a message before it is sent, as each of its receivers could."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.audit.assessment import Assessment
from wassay.audit.attacks.attack import RigidMotion, Secrets
from wassay.audit.exposure import Audit, Exposure
from wassay.audit.facts import Fact
from wassay.audit.messages import BuyerMeasure, SellerMeasures, Sent
from wassay.audit.projected_records import RawRecords
from wassay.audit.receivers import Receiver, receivers_of
from wassay.audit.words import Text
from wassay.models import DEFAULT_QUESTIONS
from wassay.transport import Measure, RandomProjection, Reference, TransportError
from wassay.transport.thread_pool import SINGLE_THREADED_BLAS

AUDITED_RECORDS = 256
"""Attacks on whole records run on a random sample of this many, to bound the time."""

COLUMN_RECORDS = 2_000
"""Attacks on columns run on a random sample of this many records.

A receiver can attack all records, and reads columns at least as well.
"""

KNOWN_RECORDS = 20
"""How many records receivers are assumed to know, where that helps to find the others."""


def audit(
    records: Measure | ArrayLike,
    sent: Sent,
    reference: Reference,
    *,
    isometry: RigidMotion | None = None,
    projection: RandomProjection | None = None,
    scores: Literal["none", "ranks", "scores"] = "none",
    reveals_scores: bool = False,
    epsilon: float | None = None,
    questions: int | None = DEFAULT_QUESTIONS,
    known_records: int = KNOWN_RECORDS,
    vectors: Mapping[str, ArrayLike] | None = None,
    facts: Sequence[Fact] = (),
) -> Audit:
    """Attack a message before it is sent, and report what each receiver can compute.

    Nothing leaves the process. An attack that fails with an error counts as successful.

    Parameters
    ----------
    records : Measure or array_like, shape (n, d)
        The raw records, in the order of the message's rows.
    sent : SellerMeasures, SellerCostBlocks, SellerScalars, BuyerMeasure or FedWadMessages
        The message, with the arrays that will be sent.
    reference : Reference
        γ; for FedWad, the measure ξ from which both parties start.
    isometry : callable, optional
        The secret map of a sealed request, which moves the pushed points before they are sent. By
        default the request is open.
    projection : RandomProjection, optional
        The secret map that projected the records before they were pushed.
    scores : {'none', 'ranks', 'scores'}
        What the buyer is shown of the scores of a seller's points.
    reveals_scores : bool
        Whether the buyer's request lets sellers read the exact scores of their own points.
    epsilon : float, optional
        The ε of the noise in the distances to a seller. By default there is no noise.
    questions : int, optional
        How many distances the seller's caps allow one organisation; None for any number.
    known_records : int
        How many records each receiver is assumed to know beforehand; limited to half of the
        attacked records. These records serve to undo an isometry, or to find t0.
    vectors : mapping of str to array_like, shape (d,), optional
        Word vectors, if the records are a text (`wassay.transport.document`). The audit then counts
        the words that a receiver with these vectors can read.
    facts : sequence of Fact, optional
        The facts of the table behind the records (`wassay.recipes.facts.facts_of`). The audit then
        names the facts that an attack reads.

    Returns
    -------
    Audit
        Prints as a table. `Audit.beyond` returns the exposures that exceed a limit.

    Raises
    ------
    TransportError
        If records, message, reference and vectors do not fit together, both a projection and
        vectors are given, or ε is not positive and finite.

    Notes
    -----
    Attacks on whole records run on a random sample of 256 records, and attacks on columns on 2,000.
    If the message is a buyer's and the reference has several points, attacks on whole records run
    on all records.
    """
    measure = records if isinstance(records, Measure) else Measure(records)
    if sent.size != measure.size:
        raise TransportError(
            f"expected one row of the message for each record, received {measure.size} records and "
            f"{sent.size} rows: audit the records that the message was made from"
        )
    compared = measure if projection is None else projection.apply(measure)
    if reference.dimension != compared.dimension:
        raise TransportError(
            "expected records and reference in one space, received dimensions "
            f"{compared.dimension} "
            f"and {reference.dimension}: use the reference that the records were pushed towards"
        )
    if epsilon is not None and not 0 < epsilon < math.inf:
        raise TransportError(f"expected a positive, finite ε, received {epsilon}")
    if projection is not None and vectors is not None:
        raise TransportError(
            "expected either a projection or word vectors, received both: words cannot be "
            "recognised in projected points. Leave out one of the two"
        )
    motion = isometry or _identity
    secrets = Secrets(reference, motion)
    # With a reference of several points, the attack on t0 takes all records.
    takes_all = isinstance(sent, BuyerMeasure) and not secrets.is_one_point
    attacked = sampled_rows(measure, measure.size if takes_all else AUDITED_RECORDS)
    records, rows = _restricted(attacked, compared, sent)
    raw = None
    if projection is not None:
        raw = RawRecords(_restricted(attacked, measure, sent)[0], projection)
    attacked_rows = sampled_rows(measure, COLUMN_RECORDS)
    text = None if vectors is None else Text.of(records, vectors, motion)
    assessment = Assessment(
        compared,
        motion(records),
        rows,
        secrets,
        known_records=known_records,
        epsilon=epsilon,
        questions=questions,
        text=text,
        sampled=_restricted(attacked_rows, measure, sent),
        raw=raw,
        facts=[fact.at(attacked_rows) for fact in facts],
    )
    receivers = receivers_of(
        sent,
        compared.dimension,
        sealed=isometry is not None,
        scores=scores,
        reveals_scores=reveals_scores,
        noised=epsilon is not None,
    )
    with SINGLE_THREADED_BLAS:
        exposures = tuple(_exposure(assessment, receiver) for receiver in receivers)
    read = "" if text is None else _read_as_sent(text, rows)
    return Audit(sent.words, exposures, read, sent.keeps_order)


def sampled_rows(measure: Measure, most: int) -> NDArray[np.intp]:
    """Draw at most `most` rows with positive weight, without replacement.

    Parameters
    ----------
    measure : Measure
    most : int

    Returns
    -------
    ndarray of int
        The indices of the rows, ascending; always the same for the same measure.
    """
    massive: NDArray[np.intp] = np.flatnonzero(measure.weights)
    return np.sort(np.random.default_rng(0).permutation(massive)[:most])


def _restricted(rows: NDArray[np.intp], measure: Measure, sent: Sent) -> tuple[Measure, Sent]:
    """Return the records with the indices `rows`, and the message restricted to them.

    The records stay in the order of `measure`, and their weights sum to 1.
    """
    kept = np.zeros(measure.size, dtype=np.bool_)
    kept[rows] = True
    weights = measure.weights[kept]
    return Measure(measure.points[kept], weights / weights.sum()), sent.only(kept)


def _exposure(assessment: Assessment, receiver: Receiver) -> Exposure:
    found = assessment.of(receiver.knowledge)
    return replace(
        found,
        receiver=receiver.name,
        explanation=receiver.source + found.explanation,
        colluding=receiver.colluding,
    )


def _read_as_sent(text: Text, sent: Sent) -> str:
    """Say how many words a receiver reads by comparing the sent points with word vectors.

    Empty if no points are sent.
    """
    if isinstance(sent, BuyerMeasure):
        measures = [sent.measure]
    elif isinstance(sent, SellerMeasures):
        measures = list(sent.measures.values())
    else:
        return ""
    read = max(text.read_as_sent(measure.points) for measure in measures)
    return (
        f"In the points as they are sent, without an attack, {read} of {sent.size} words can be "
        "read."
    )


def _identity(measure: Measure) -> Measure:
    return measure
