"""The table of coverage: which share of the buyer's points lies near points of sellers, at t0."""

from dataclasses import dataclass

from wassay import models
from wassay.coverage import coverage_at
from wassay.report.report import Report

MOST_ROWS = 12
"""The largest number of sellers in the table."""
ROUNDED_AWAY = 0.005
"""The largest share that rounds to 0 %."""


@dataclass(frozen=True)
class CoverageRow:
    """A formatted row of the table of coverage: shares of the buyer's points."""

    label: str
    alone: str
    """The share that the seller covers."""
    expected: str
    """The share that random rows of the buyer's own population cover on average.

    There are as many of the random rows as the seller has rows.
    """
    added: str | None
    """The share that the seller adds to the sellers before it in `Coverage.order`.

    None for the first seller, or if unknown.
    """


@dataclass(frozen=True)
class CoverageRows:
    """The table of coverage, with at most `MOST_ROWS` sellers."""

    rows: list[CoverageRow]
    adds: bool
    """Whether any seller but the first adds more than 0.5 % of the buyer's points.

    If so, rows are in `Coverage.order`; otherwise in the order of the result.
    """
    together: str | None
    """The share that all sellers together cover; None if there is only one seller."""


def coverage_rows(report: Report) -> CoverageRows | None:
    """Return the table of coverage, or None if coverage at t0 is unknown.

    Coverage is unknown if the service makes the report, if distances have noise, or if no points
    could be compared.
    """
    if report.private is None or isinstance(report.result, models.NoisedResult):
        return None
    coverage = coverage_at(report.result, report.private.t0, report.labels)
    if coverage is None:
        return None
    first, *others = coverage.order
    added = {name: coverage.added(name) for name in others}
    adds = any(share is not None and share > ROUNDED_AWAY for share in added.values())
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
