"""The table of the coverage of the buyer's points, at the buyer's private t0."""

from dataclasses import dataclass

from wassay import models
from wassay.coverage import coverage_at
from wassay.report.report import Report

MOST_ROWS = 12
"""The most sellers in the table."""
LEAST_ADDED = 0.005
"""The least share that is not 0 %, once rounded."""


@dataclass(frozen=True)
class CoverageRow:
    """One formatted row; `added` is None for the first seller, and if it is not known."""

    label: str
    alone: str
    expected: str
    added: str | None


@dataclass(frozen=True)
class CoverageRows:
    """The table; `adds` says whether it is sorted by what each seller adds to those above.

    Otherwise it is sorted like the report's sellers. `together` is the share that all cover.
    """

    rows: list[CoverageRow]
    adds: bool
    together: str | None


def coverage_rows(report: Report) -> CoverageRows | None:
    """Return the table; None in a report by the service, or if no points could be compared."""
    if report.private is None or isinstance(report.result, models.NoisedResult):
        return None
    coverage = coverage_at(report.result, report.private.t0, report.labels)
    if coverage is None:
        return None
    first, *others = coverage.order
    added = {name: coverage.added(name) for name in others}
    adds = any(share is not None and share >= LEAST_ADDED for share in added.values())
    given = [seller.contribution_id for seller in report.result.sellers]
    order = [first, *others] if adds else [name for name in given if name in coverage.labels]
    rows = [
        CoverageRow(
            coverage.labels[name],
            _percent(coverage.of(name)),
            _percent(coverage.expected_of(name)),
            None if (share := added.get(name)) is None else _percent(share),
        )
        for name in order[:MOST_ROWS]
    ]
    return CoverageRows(rows, adds, _percent(coverage.of(*order)) if others else None)


def _percent(share: float) -> str:
    return f"{100 * share:z.0f} %"
