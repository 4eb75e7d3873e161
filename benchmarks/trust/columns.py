"""Measure what the service reads of sealed tables without knowing any record.

`python -m benchmarks.trust.columns` prints the share of columns that each attack reads.
"""

# A column is read if an attack estimates it with a rank correlation above 0.9, and read exactly if
# most of its values are exact.
#
# The attack "a sample" is the only one that knows records: half of the table, to attack the other
# half.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets

from wassay.audit import BuyerMeasure, audit
from wassay.audit.read_thresholds import EXACT_SHARE, READ
from wassay.client.buyer.drawn_reference import draw_reference
from wassay.reference_key import ReferenceKey
from wassay.table import table
from wassay.transport import Isometry, Measure, project, scale_hiding
from wassay.transport.inversion import (
    independent_components,
    integer_columns,
    integer_combinations,
    match_axes,
    match_columns,
    principal_components,
    repeated_values,
)
from wassay.transport.pushing.normal_quantile import normal_quantile

Table = NDArray[np.float64]

SETS: dict[str, Callable[[], Table]] = {
    "iris": lambda: datasets.load_iris().data,
    "wine": lambda: datasets.load_wine().data,
    "diabetes": lambda: datasets.load_diabetes(scaled=False).data,
    "breast cancer": lambda: datasets.load_breast_cancer().data,
    "linnerud": lambda: np.hstack([datasets.load_linnerud().data, datasets.load_linnerud().target]),
    "digits": lambda: datasets.load_digits().data,
}


def standardised(records: Table) -> Table:
    varied = records[:, np.ptp(records, axis=0) > 0]
    return np.asarray((varied - varied.mean(axis=0)) / varied.std(axis=0))


def whitened(records: Table) -> Table:
    centred = standardised(records)
    values, vectors = np.linalg.eigh(np.cov(centred, rowvar=False) + 1e-3 * np.eye(len(centred.T)))
    return np.asarray(centred @ vectors / np.sqrt(values) @ vectors.T)


def normal_scores(records: Table) -> Table:
    """Return normal scores, ties broken at random."""
    jitter = np.random.default_rng(3).uniform(size=records.shape)
    order = np.argsort(np.lexsort((jitter, records), axis=0), axis=0)
    return normal_quantile((order + 0.5) / len(records))


FORMS: dict[str, Callable[[Table], Table]] = {
    "own units": lambda records: records,
    "standardised": standardised,
    "whitened": whitened,
    "normal scores, whitened": lambda records: whitened(normal_scores(records)),
}


def fixed_key(measure: Measure) -> ReferenceKey:
    """Return the key of a sealed request; unlike other keys, it is the same in every run."""
    reference = replace(draw_reference(measure, 2), seed=1)
    isometry = Isometry(reference.dimension, bytes(32), scale_hiding(measure))
    return ReferenceKey(reference, isometry, bytes(32))


def sealed(records: Table) -> Table:
    """Return the points that the service extrapolates to s = 0 from two concealed pushes."""
    measure = Measure(records)
    key = fixed_key(measure)
    pushes = project(measure, key.reference.measure())
    low, high = (key.conceal(pushes.interpolate(s)).points for s in (0.25, 0.75))
    return np.asarray((3 * low - high) / 2)


def audited(records: Table) -> str:
    """Audit a buyer's sealed rows in random order; return the service's disclosure class."""
    measure = Measure(np.random.default_rng(0).permutation(records))
    key = fixed_key(measure)
    sent = BuyerMeasure(key.conceal(project(measure, key.reference.measure()).interpolate(0.4)))
    service, *_ = audit(measure, sent, key.reference, isometry=key.conceal).exposures
    return service.disclosure_class.value


def from_a_sample(points: Table, records: Table) -> Table:
    """Estimate each half of the records from all its points and the other half of the records."""
    halves = np.array_split(np.random.default_rng(0).permutation(len(points)), 2)
    found = [
        match_axes(points[half], records[other])
        for half, other in zip(halves, halves[::-1], strict=True)
    ]
    if not all(estimates.shape[1] for estimates in found):
        return np.empty((len(points), 0))
    return np.vstack(found)[np.argsort(np.concatenate(halves))]


def attacked(records: Table) -> dict[str, Table]:
    """Return, for each attack, the estimates that it takes for columns of the records."""
    points = sealed(records)
    principal, independent = principal_components(points), independent_components(points)
    lattice = integer_columns(points)
    return {
        "principal": principal,
        "independent": independent,
        "repeated values": repeated_values(points, np.hstack([principal, independent])),
        "lattice": np.empty((len(points), 0)) if lattice is None else lattice.columns,
        "integer relations": integer_combinations(points),
        "a sample": from_a_sample(points, records),
    }


def read(records: Table, components: Table) -> tuple[Table, Table]:
    """Return which columns some component follows, and which of these it gives exactly."""
    matches = match_columns(records, components)
    follows = np.array([each is not None and each.correlation > READ for each in matches])
    exact = np.array([each is not None and each.exact >= EXACT_SHARE for each in matches])
    return follows, follows & exact


def main() -> None:
    """Print the table."""
    header: list[str] = []
    rows = []
    for name, load in SETS.items():
        raw = load()
        raw = raw[:, np.ptp(raw, axis=0) > 0]
        for form, change in FORMS.items():
            sent = change(raw)
            found = {by: read(raw, values) for by, values in attacked(sent).items()}
            header = ["data", "rows", "columns", "form", *found, "any", "of these exactly", "audit"]
            follows = np.any([each for each, _ in found.values()], axis=0)
            exact = np.any([each for _, each in found.values()], axis=0)
            shares = [f"{each.mean():.2f}" for each, _ in found.values()]
            total = [f"{follows.mean():.2f}", f"{exact.mean():.2f}", audited(sent)]
            rows.append([name, str(len(raw)), str(raw.shape[1]), form, *shares, *total])
    print(table(tuple(header), rows))


if __name__ == "__main__":
    main()
