"""Run the attacks that read columns, and compare their findings with the records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import Target
from wassay.audit.attacks.column_attack import Cloud
from wassay.audit.attacks.registry import COLUMN_ATTACKS
from wassay.audit.column_readings import ColumnReading, ColumnReadings
from wassay.transport.inversion import match_columns

_FEWEST_RECORDS = 10
"""The fewest records to attack: with fewer, high rank correlations occur by chance."""


def read_columns(target: Target, records: NDArray[np.float64]) -> ColumnReadings:
    """Run all attacks on columns that a receiver can mount, and return the best readings.

    Parameters
    ----------
    target : Target
    records : ndarray, shape (n, d)
        The true records behind the target's points, before any isometry.
    """
    cloud = Cloud.of(target)
    if cloud is None or len(records) < _FEWEST_RECORDS:
        return ColumnReadings()
    best = {
        column: ColumnReading(column, "", 0.0, 0.0)
        for column, extent in enumerate(np.ptp(records, axis=0))
        if extent > 0
    }
    remarks: list[str] = []
    for attack in COLUMN_ATTACKS:
        components = attack.run(cloud) if attack.needs <= target.knowledge else None
        if components is None:
            continue
        if components.remark:
            remarks.append(f"{attack.name}: {components.remark}")
        if components.norms is not None:
            remarks.append(f"{attack.name}: {_error_of_norms(records, components.norms)}")
        for column, match in enumerate(match_columns(records, components.values)):
            if match is None:
                continue
            reading = ColumnReading(column, attack.name, match.correlation, match.exact)
            if _worse(best[column], reading):
                best[column] = reading
    return ColumnReadings(tuple(best.values()), len(records), tuple(remarks))


def _error_of_norms(records: NDArray[np.float64], norms: NDArray[np.float64]) -> str:
    truth = np.linalg.norm(records, axis=1)
    error = float(np.median(np.abs(norms - truth) / np.maximum(truth, np.finfo(np.float64).tiny)))
    return f"taken for the norm of a record, it is off by {error:.1%} (median)"


def _worse(first: ColumnReading, second: ColumnReading) -> bool:
    """Return whether the second of two readings of one column reveals more."""
    return (second.is_read, second.is_read and second.exact, second.correlation) > (
        first.is_read,
        first.is_read and first.exact,
        first.correlation,
    )
