"""Run the attacks that read columns, and compare what they find with the records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import Target
from wassay.audit.attacks.column_attack import Cloud
from wassay.audit.attacks.registry import COLUMN_ATTACKS
from wassay.audit.column_readings import ColumnReading, ColumnReadings
from wassay.transport.inversion import match_columns

_FEWEST_RECORDS = 10
"""With fewer records than this, rank correlations exceed any limit by chance."""


def read_columns(target: Target, records: NDArray[np.float64]) -> ColumnReadings:
    """Run every attack on columns that a receiver can mount.

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
    """Whether a second reading of the same column reveals more than a first."""
    return (second.is_read, second.is_read and second.exact, second.correlation) > (
        first.is_read,
        first.is_read and first.exact,
        first.correlation,
    )
