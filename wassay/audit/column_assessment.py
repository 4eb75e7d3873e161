"""Run the attacks that read columns, and compare the columns they find with the records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import Target
from wassay.audit.attacks.column_attack import CertainCombination, Cloud, Part
from wassay.audit.attacks.registry import COLUMN_ATTACKS
from wassay.audit.column_readings import ColumnReading, ColumnReadings, Combination
from wassay.audit.fact_labels import labels_of
from wassay.audit.fact_readings import read_facts
from wassay.audit.facts import Fact
from wassay.audit.read_thresholds import READ
from wassay.transport.inversion import count_others, match_columns

_ROUNDING = 1e-6

_FEWEST_OTHERS = 4
"""An exact combination counts if at least this many values differ from the most frequent one. Fewer
may be outliers, which attacks find one by one."""

_FEWEST_RECORDS = 10
"""The fewest records to attack: with fewer, high rank correlations occur by chance."""


def read_columns(
    target: Target, records: NDArray[np.float64], facts: Sequence[Fact] = ()
) -> ColumnReadings:
    """Run the attacks on columns that a receiver can run, and return the best readings.

    Parameters
    ----------
    target : Target
    records : ndarray, shape (n, d)
        The true records behind the target's points, before any isometry.
    facts : sequence of Fact
        The facts of the table behind the records.

    Returns
    -------
    ColumnReadings
        Empty if the target has no pushed points, or fewer than ten records.
    """
    columns_and_facts = [records, *(fact.values[:, None] for fact in facts if fact.is_yes_or_no)]
    cloud = Cloud.of(
        target, _halves(records), records, np.hstack(columns_and_facts), labels_of(facts)
    )
    if cloud is None or len(records) < _FEWEST_RECORDS:
        return ColumnReadings()
    best = {
        column: ColumnReading(column, "", 0.0, 0.0)
        for column, extent in enumerate(np.ptp(records, axis=0))
        if extent > 0
    }
    remarks: list[str] = []
    certain: list[tuple[str, CertainCombination]] = []
    found: list[tuple[str, NDArray[np.float64]]] = []
    for attack in COLUMN_ATTACKS:
        components = attack.run(cloud) if attack.needs <= target.knowledge else None
        if components is None:
            continue
        if components.remark:
            remarks.append(f"{attack.name}: {components.remark}")
        if components.norms is not None:
            remarks.append(f"{attack.name}: {_error_of_norms(records, components.norms)}")
        certain += [(attack.name, each) for each in components.certain]
        found.append((attack.name, components.values))
        for column, match in enumerate(match_columns(records, components.values)):
            if match is None:
                continue
            reading = ColumnReading(column, attack.name, match.correlation, match.exact)
            if _second_reveals_more(best[column], reading):
                best[column] = reading
    attempts = tuple(best.values())
    combinations = _combinations(certain, attempts, records)
    facts_read = tuple(read_facts(facts, found))
    return ColumnReadings(attempts, len(records), tuple(remarks), combinations, facts_read)


def _combinations(
    certain: list[tuple[str, CertainCombination]],
    attempts: tuple[ColumnReading, ...],
    records: NDArray[np.float64],
) -> tuple[Combination, ...]:
    """Return the combinations that follow neither from read columns nor from each other.

    Exact combinations come first.
    """
    exact = records[:, [each.column for each in attempts if each.is_exact]]
    read = records[:, [each.column for each in attempts if each.is_read]]
    found = []
    for attack, each in sorted(certain, key=lambda pair: not pair[1].exact):
        known = (
            not _is_new(each.values, exact)
            if each.exact
            else _follows(each.values, read) or _predicted(each.values, exact)
        )
        if known:
            continue
        found.append(_combination(attack, each, records))
        read = np.column_stack([read, each.values])
        exact = np.column_stack([exact, each.values]) if each.exact else exact
    return tuple(found)


def _halves(records: NDArray[np.float64]) -> tuple[Part, ...]:
    """Return two parts, each a random half of the records; the sample of each is the other half."""
    first, second = np.array_split(np.random.default_rng(0).permutation(len(records)), 2)
    return Part(first, records[second]), Part(second, records[first])


def _combination(
    attack: str, certain: CertainCombination, records: NDArray[np.float64]
) -> Combination:
    followed = [
        (match.correlation, -column)
        for column, match in enumerate(match_columns(records, certain.values[:, None]))
        if match is not None
    ]
    correlation, nearest = max(followed)
    return Combination(attack, -nearest, correlation, certain.why, certain.exact)


def _follows(values: NDArray[np.float64], columns: NDArray[np.float64]) -> bool:
    """Return whether the rank correlation of the values with one of the columns exceeds `READ`."""
    (match,) = match_columns(values[:, None], columns)
    return match is not None and match.correlation > READ


def _predicted(values: NDArray[np.float64], columns: NDArray[np.float64]) -> bool:
    """Return whether the values' correlation with their fit by `columns` exceeds `READ`."""
    fitted = _fitted(values, columns)
    return float(np.square(values - fitted).sum()) < (1 - READ**2) * float(
        np.square(values - values.mean()).sum()
    )


def _is_new(values: NDArray[np.float64], columns: NDArray[np.float64]) -> bool:
    """Return whether the values vary enough, and are no linear combination of the columns."""
    return count_others(values) >= _FEWEST_OTHERS and _is_independent(values, columns)


def _is_independent(values: NDArray[np.float64], columns: NDArray[np.float64]) -> bool:
    """Return whether the values are no linear combination of the columns, up to rounding."""
    rest = np.abs(values - _fitted(values, columns)).max()
    return float(rest) > _ROUNDING * float(np.ptp(values))


def _fitted(values: NDArray[np.float64], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the least-squares fit of the values by the columns and a constant."""
    terms = np.column_stack([np.ones(len(values)), columns])
    scaled = terms / np.abs(terms).max(axis=0)
    return np.asarray(scaled @ np.linalg.lstsq(scaled, values, rcond=None)[0])


def _error_of_norms(records: NDArray[np.float64], norms: NDArray[np.float64]) -> str:
    truth = np.linalg.norm(records, axis=1)
    error = float(np.median(np.abs(norms - truth) / np.maximum(truth, np.finfo(np.float64).tiny)))
    return f"taken for the norm of a record, it is off by {error:.1%} (median)"


def _second_reveals_more(first: ColumnReading, second: ColumnReading) -> bool:
    """Return whether the second of two readings of one column reveals more."""
    return (second.is_read, second.is_read and second.exact, second.correlation) > (
        first.is_read,
        first.is_read and first.exact,
        first.correlation,
    )
