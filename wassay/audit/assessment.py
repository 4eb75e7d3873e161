"""Run the attacks on one message, and compare what they reconstruct with the records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import AttackResult, Knowledge, Secrets, Target
from wassay.audit.attacks.registry import most_revealing
from wassay.audit.column_assessment import read_columns
from wassay.audit.column_readings import ColumnReadings
from wassay.audit.exposure import Exposure
from wassay.audit.facts import Fact
from wassay.audit.messages import BuyerMeasure, Sent
from wassay.audit.projected_records import RawRecords
from wassay.audit.words import Text
from wassay.disclosure_class import DisclosureClass
from wassay.transport import Measure, SolverMissing, TransportError
from wassay.transport.inversion import Reconstruction, align, reidentified, relative_error

UNFINISHED = 1e-6
"""An attack with a larger residual was stopped before it converged."""


class Assessment:
    """Attacks one message for each receiver, and compares the results with the records.

    Parameters
    ----------
    measure : Measure
        All records, after the random projection if there is one.
    records : Measure
        The records to attack, moved by the isometry: all records with positive weight, or a sample
        of these.
    sent : Sent
        The message, restricted to the rows of `records`.
    secrets : Secrets
    known_records : int
        How many of `records` every receiver is assumed to know; limited to half of `records`.
    epsilon : float or None
        The ε of the noise in the distances; None without noise.
    questions : int or None
        How many distances the seller's caps allow one organisation; None for any number.
    text : Text or None
        The words of the records; None unless the records are a text.
    sampled : tuple of Measure and Sent
        For attacks on columns: a sample of the raw records, neither projected nor moved, and the
        message restricted to their rows.
    raw : RawRecords or None
        `records` before their random projection; None if they were not projected.
    facts : sequence of Fact
        Facts of the table, for the rows in `sampled`.
    """

    def __init__(
        self,
        measure: Measure,
        records: Measure,
        sent: Sent,
        secrets: Secrets,
        *,
        known_records: int,
        epsilon: float | None,
        questions: int | None,
        text: Text | None,
        sampled: tuple[Measure, Sent],
        raw: RawRecords | None = None,
        facts: Sequence[Fact] = (),
    ) -> None:
        self._measure, self._records, self._sent = measure, records, sent
        self._secrets, self._epsilon, self._text = secrets, epsilon, text
        self._sampled, self._raw, self._questions = sampled, raw, questions
        self._facts = facts
        self._order = np.random.default_rng(0).permutation(records.size)
        known = min(known_records, records.size // 2)
        self._known, self._unknown = np.split(self._order, [known])
        self._assessed: dict[frozenset[Knowledge], Exposure] = {}

    def of(self, knowledge: frozenset[Knowledge]) -> Exposure:
        """Return the exposure to a receiver with this knowledge, without the receiver's name."""
        if knowledge not in self._assessed:
            found = self._assess(knowledge)
            if Knowledge.REFERENCE not in knowledge:
                found = replace(found, columns=self._columns(knowledge))
            elif self._raw is not None:
                found = self._raw.exposed_by_projections(found)
            self._assessed[knowledge] = found
        return self._assessed[knowledge]

    def _assess(self, knowledge: frozenset[Knowledge]) -> Exposure:
        target = self._target(knowledge, self._sent, self._records.weights, self._known)
        result = most_revealing(target)
        if result is None:
            return Exposure("", DisclosureClass.NOTHING, "no part of it")
        if result.reconstruction is None:
            return Exposure("", result.disclosure_class, result.explanation, rank=result.rank)
        if Knowledge.REFERENCE not in knowledge:
            return self._aligned(result, result.reconstruction)
        # Attacks on a buyer's message use the known records to find t0, so only the others count as
        # reconstructed.
        attacked = self._unknown if isinstance(self._sent, BuyerMeasure) else self._order
        return self._compared(result, result.reconstruction, attacked)

    def _columns(self, knowledge: frozenset[Knowledge]) -> ColumnReadings:
        """Read columns from the shape of the pushed points, if the receiver has these points."""
        if Knowledge.PUSHED_POINTS not in knowledge:
            return ColumnReadings()
        records, sent = self._sampled
        # The known records are rows of another sample. Attacks on columns know no record.
        target = self._target(knowledge, sent, records.weights, self._known[:0])
        return read_columns(target, records.points, self._facts)

    def _target(
        self,
        knowledge: frozenset[Knowledge],
        sent: Sent,
        weights: NDArray[np.float64],
        known: NDArray[np.intp],
    ) -> Target:
        return Target(
            sent=sent,
            knowledge=knowledge,
            size=self._measure.size,
            dimension=self._measure.dimension,
            weights=weights,
            secrets=self._secrets,
            known=known,
            known_records=self._records.points[known],
            epsilon=self._epsilon,
            questions=self._questions,
        )

    def _aligned(self, result: AttackResult, found: Reconstruction) -> Exposure:
        """Return the exposure to a receiver who knows some records, but not the isometry.

        `found` is the reconstruction that the attack computed.
        """
        if result.disclosure_class is not DisclosureClass.PROJECTION:
            result = replace(result, disclosure_class=DisclosureClass.UP_TO_ISOMETRY)
        if self._raw is not None:
            # The receiver does not undo the isometry, but predicts raw records from the known ones.
            exposure = Exposure(
                "",
                result.disclosure_class,
                result.explanation + _note(result),
                rank=found.rank,
            )
            return self._raw.exposed_by_known(exposure, found.points, self._known, self._unknown)
        try:
            aligned = align(found.points, self._known, self._records.points[self._known])
        except TransportError:
            return Exposure(
                "",
                result.disclosure_class,
                f"{result.explanation}{_note(result)}: all distances between records, and no "
                "coordinates without known records",
                rank=found.rank,
            )
        result = replace(result, explanation=f"{result.explanation}, then {aligned.method}")
        return self._compared(result, replace(aligned, rank=found.rank), self._unknown)

    def _compared(
        self, result: AttackResult, found: Reconstruction, attacked: NDArray[np.intp]
    ) -> Exposure:
        """Return the exposure of the records in the rows `attacked`, reconstructed as `found`.

        The attack's `result` gives the class and the explanation of the exposure.
        """
        note = _note(result)
        records, points = self._records.points[attacked], found.points[attacked]
        error: float | None = None
        try:
            error = relative_error(records, points)
        except SolverMissing as missing:
            note += f"; its relative error is not known, for {missing}"
        if result.disclosure_class is DisclosureClass.EXACT and found.residual > UNFINISHED:
            note += "; stopped early, and exact for a receiver who goes on"
        return Exposure(
            "",
            result.disclosure_class,
            result.explanation + note,
            rank=found.rank,
            relative_error=error,
            reidentified=round(reidentified(records, points) * len(records)),
            attacked=len(records),
            words_read=None if self._text is None else self._text.read_in(points, attacked),
        )


def _note(result: AttackResult) -> str:
    return ", still pushed towards the reference" if result.pushed else ""
