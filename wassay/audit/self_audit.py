"""The self-audit: attack what is about to be sent, as everybody who receives it could."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.audit.attacks import (
    Movement,
    Outcome,
    ScaleUnknown,
    Secrets,
    with_secrets,
    without_secrets,
)
from wassay.audit.exposure import Audit, Exposure
from wassay.audit.parties import buyer, other_sellers, sellers
from wassay.audit.sent import Arrays, BuyerMeasure, SellerCostBlocks, SellerScalars, Sent
from wassay.audit.words import Text
from wassay.disclosure_class import DisclosureClass
from wassay.transport import Measure, Reference, SolverMissing, TransportError
from wassay.transport.inversion import (
    Reconstruction,
    align,
    reidentified,
    relative_error,
)

SERVICE, COLLUDING = "the service", "the service and a seller together"

KNOWN_RECORDS = 20
"""Records that receivers are taken to know and recognise, where that helps them to the rest."""

MEASURED = 1_000
"""Records that are compared with their reconstructions, which takes time square in their number."""

UNFINISHED = 1e-6
"""A larger residual means that the audit stopped before its attack was through."""


def audit(
    records: Measure | ArrayLike,
    sent: Sent,
    reference: Reference,
    *,
    isometry: Movement | None = None,
    scores: Literal["none", "ranks", "scores"] = "none",
    reveals_scores: bool = False,
    epsilon: float | None = None,
    known_records: int = KNOWN_RECORDS,
    vectors: Mapping[str, ArrayLike] | None = None,
) -> Audit:
    """Attack the arrays that are about to be sent, and say what each receiver can compute.

    Nothing leaves the process. The work is that of a few transport problems of the records'
    size; towards a reference of many points, of up to some thousand smaller ones. An attack that
    breaks off counts as if it had succeeded.

    Parameters
    ----------
    records : Measure or array_like, shape (n, d)
        The raw records, in the order of what is sent.
    sent : SellerMeasures, SellerCostBlocks, SellerScalars or BuyerMeasure
        The very arrays that are about to leave.
    reference : Reference
        γ's parameters.
    isometry : callable, optional
        For a sealed request: what moved the sent points, and the reference, before they leave.
        The service knows neither it nor γ then; buyer and sellers know both.
    scores : {'none', 'ranks', 'scores'}
        What the buyer gets to see of the scores of a seller's points.
    reveals_scores : bool
        Whether the buyer's request lets sellers read exact scores.
    epsilon : float, optional
        Of the noise that a seller's answer to the buyer carries.
    known_records : int
        How many records receivers are taken to know beforehand, up to half of all. With them the
        service undoes an isometry, and who knows a reference of one point finds t0.
    vectors : mapping of str to array_like, shape (d,), optional
        Of words, where the records are a text (`wassay.transport.document`): the audit then counts
        how many of its words each receiver reads, who is taken to have the vectors too.

    Returns
    -------
    Audit
        Printable; `beyond` tells whether it goes beyond a limit.

    Raises
    ------
    TransportError
        When records, message, reference and vectors do not fit together, or ε cannot be one.
    """
    measure = records if isinstance(records, Measure) else Measure(records)
    if sent.size != measure.size:
        raise TransportError(
            f"an audit compares each record with its row in what is sent, got {measure.size} "
            f"records and {sent.size} rows"
        )
    if reference.dimension != measure.dimension:
        raise TransportError(
            f"records and reference must live in one space, got dimensions {measure.dimension} "
            f"and {reference.dimension}"
        )
    if epsilon is not None and not 0 < epsilon < math.inf:
        raise TransportError(f"ε is a positive number, got {epsilon}")
    if isinstance(sent, SellerScalars):
        return _of_scalars(measure, sent)
    massive = measure.weights > 0
    weights = measure.weights[massive] / measure.weights[massive].sum()
    records_with_mass, rows = Measure(measure.points[massive], weights), sent.rows(massive)
    movement = isometry or _unmoved
    text = None if vectors is None else Text.of(records_with_mass, vectors, movement)
    auditor = _Auditor(
        movement(records_with_mass).points,
        weights,
        rows,
        Secrets(reference, movement),
        known_records,
        text,
    )
    informed = auditor.with_secrets(SERVICE)
    by_service = informed if isometry is None else auditor.without_secrets(SERVICE)
    together = replace(informed, receiver=COLLUDING, colluding=True)
    others = (
        sellers(sent, informed, measure.dimension)
        if isinstance(sent, BuyerMeasure)
        else (
            buyer(measure, scores, epsilon),
            other_sellers(measure.dimension, told=reveals_scores and scores == "scores"),
        )
    )
    return Audit(
        sent.words,
        (by_service, *others, together),
        "" if text is None else _read_as_sent(text, rows),
    )


class _Auditor:
    """Runs the attacks on one message and measures what they did."""

    def __init__(
        self,
        records: NDArray[np.float64],
        weights: NDArray[np.float64],
        sent: Arrays,
        secrets: Secrets,
        known_records: int,
        text: Text | None,
    ) -> None:
        self._records, self._weights = records, weights
        self._sent, self._secrets, self._text = sent, secrets, text
        self._order = np.random.default_rng(0).permutation(len(records))
        known = min(known_records, len(records) // 2)
        self._known, self._unknown = np.split(self._order, [known])

    def with_secrets(self, receiver: str) -> Exposure:
        """Expose what one who knows reference and isometry can compute."""
        known_records = self._records[self._known]
        try:
            found = with_secrets(
                self._sent, self._weights, self._secrets, self._known, known_records
            )
        except ScaleUnknown:
            return Exposure(
                receiver,
                DisclosureClass.APPROXIMATE,
                "records up to one factor, which depends on t0 alone: a single known record, or "
                "the range of a coordinate, gives it",
            )
        except TransportError as error:
            # To be on the safe side: what is proven of it holds whether the audit succeeds or not.
            return Exposure(receiver, DisclosureClass.EXACT, f"the attack broke off: {error}")
        if not found.reconstruction.complete:
            reached = DisclosureClass.PROJECTION
        else:
            reached = DisclosureClass.APPROXIMATE if found.guessed else DisclosureClass.EXACT
        uses_known = isinstance(self._sent, BuyerMeasure)
        attacked = self._unknown if uses_known else self._order
        return self._exposure(receiver, reached, found.reconstruction, attacked, _pushed(found))

    def without_secrets(self, receiver: str) -> Exposure:
        """Expose what one who only has the sent arrays, and knows some records, can compute."""
        try:
            found = without_secrets(self._sent, self._weights)
        except TransportError as error:
            return Exposure(
                receiver, DisclosureClass.UP_TO_ISOMETRY, f"the attack broke off: {error}"
            )
        complete = found.reconstruction.complete
        reached = DisclosureClass.UP_TO_ISOMETRY if complete else DisclosureClass.PROJECTION
        try:
            aligned = align(found.reconstruction.points, self._known, self._records[self._known])
        except TransportError:
            return Exposure(
                receiver,
                reached,
                f"{found.reconstruction.method}{_pushed(found)}: all distances between "
                "records, and no coordinates without known records",
                rank=found.reconstruction.rank,
            )
        method = f"{found.reconstruction.method}, then {aligned.method}"
        aligned = replace(aligned, method=method, rank=found.reconstruction.rank)
        return self._exposure(receiver, reached, aligned, self._unknown, _pushed(found))

    def _exposure(
        self,
        receiver: str,
        reached: DisclosureClass,
        found: Reconstruction,
        attacked: NDArray[np.intp],
        note: str,
    ) -> Exposure:
        attacked = attacked[:MEASURED]
        records, points = self._records[attacked], found.points[attacked]
        error: float | None = None
        try:
            error = relative_error(records, points)
        except SolverMissing as missing:
            note += f"; its relative error is not known, for {missing}"
        if reached is DisclosureClass.EXACT and found.residual > UNFINISHED:
            note += "; stopped early, and exact for whoever goes on"
        return Exposure(
            receiver,
            reached,
            found.method + note,
            rank=found.rank,
            relative_error=error,
            reidentified=round(reidentified(records, points) * len(records)),
            attacked=len(records),
            words_read=None if self._text is None else self._text.read_in(points, attacked),
        )


def _pushed(found: Outcome) -> str:
    return "" if found.push == 0 else ", still pushed towards the reference"


def _read_as_sent(text: Text, sent: Arrays) -> str:
    """Say what somebody reads who takes the sent points for vectors of words."""
    if isinstance(sent, SellerCostBlocks):
        return ""
    measures = [sent.measure] if isinstance(sent, BuyerMeasure) else sent.measures.values()
    read = max(text.read_as_sent(measure.points) for measure in measures)
    return (
        f"In the points as they are sent, without an attack, {read} of {sent.size} words can be "
        "read."
    )


def _of_scalars(records: Measure, sent: SellerScalars) -> Audit:
    seen = Exposure(SERVICE, DisclosureClass.SCALARS, "a few numbers for each s, of all records")
    together = replace(seen, receiver=COLLUDING, colluding=True)
    others = other_sellers(records.dimension, told=False)
    return Audit(sent.words, (seen, buyer(records, "none", None), others, together))


def _unmoved(measure: Measure) -> Measure:
    return measure
