"""Compute what receivers learn about raw records from random projections."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.audit.column_readings import ColumnReading, ColumnReadings
from wassay.audit.exposure import Exposure
from wassay.audit.read_thresholds import READ
from wassay.disclosure_class import DisclosureClass
from wassay.transport import Measure, RandomProjection, SolverMissing
from wassay.transport.inversion import (
    match_columns,
    predict_from_known,
    predict_unprojected,
    reidentified,
    relative_error,
)

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RawRecords:
    """The raw records whose random projections are pushed and sent.

    Attributes
    ----------
    measure : Measure
        The raw records that are attacked.
    projection : RandomProjection
    """

    measure: Measure
    projection: RandomProjection

    def exposed_by_projections(self, found: Exposure) -> Exposure:
        """Return the exposure of the raw records to a receiver who has the reference's key.

        `found` is the exposure of the projections.
        """
        if not found.records_class.reveals_more_than(DisclosureClass.SCORES):
            return found
        records, size = self.measure.points, self.measure.size
        predicted = np.empty_like(records)
        projected = self.projection.apply(self.measure).points
        # The receiver is assumed to hold other records of the same kind: each half of the records
        # predicts the other half.
        halves = np.array_split(np.random.default_rng(1).permutation(size), 2)
        if min(map(len, halves)) < 2:
            return self._reduced(found)
        for half, other in (halves, halves[::-1]):
            predicted[half] = predict_unprojected(
                projected[half], self.projection.matrix, records[other]
            )
        columns = _attempts(records, predicted)
        exposure = self._compared(found, predicted, np.arange(size))
        read = f"{len(columns.read)} of {len(columns.attempts)} columns"
        return replace(
            exposure,
            predicted=columns,
            records_class=max(
                exposure.records_class, columns.disclosure_class, key=list(DisclosureClass).index
            ),
            explanation=f"{exposure.explanation}; the linear prediction from other records of the "
            f"same kind gives {read} with a rank correlation above {READ:g}",
        )

    def exposed_by_known(
        self, found: Exposure, observed: Points, known: NDArray[np.intp], unknown: NDArray[np.intp]
    ) -> Exposure:
        """Return the exposure of raw records to a receiver who knows some, but not the key.

        `found` is the exposure of the projected points `observed`.
        """
        # A linear map needs at least two known records.
        if len(known) < 2:
            return self._reduced(found)
        records = self.measure.points[known]
        method = f"{found.explanation}, then a linear map fitted to {len(known)} known records"
        predicted = predict_from_known(observed, known, records)
        return self._compared(replace(found, explanation=method), predicted, unknown)

    def _compared(self, found: Exposure, predicted: Points, rows: NDArray[np.intp]) -> Exposure:
        records, points = self.measure.points[rows], predicted[rows]
        error: float | None = None
        try:
            error = relative_error(records, points)
        except SolverMissing as missing:
            note = f"{found.explanation}; its relative error is not known, for {missing}"
            found = replace(found, explanation=note)
        return replace(
            self._reduced(found),
            relative_error=error,
            reidentified=round(reidentified(records, points) * len(records)),
            attacked=len(records),
        )

    def _reduced(self, found: Exposure) -> Exposure:
        reduced, dimension = self.projection.reduced, self.projection.dimension
        rank = reduced if found.rank is None else min(found.rank, reduced)
        return replace(
            found,
            records_class=min(
                found.records_class,
                DisclosureClass.PROJECTION,
                key=list(DisclosureClass).index,
            ),
            rank=rank,
            explanation=f"{found.explanation}; projected from {dimension} to {reduced} dimensions",
        )


def _attempts(records: Points, predicted: Points) -> ColumnReadings:
    attempts = tuple(
        ColumnReading(column, "linear prediction", match.correlation, match.exact)
        for column, match in enumerate(match_columns(records, predicted))
        if match is not None
    )
    return ColumnReadings(attempts, len(records))
