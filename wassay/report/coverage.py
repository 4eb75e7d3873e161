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
    """A formatted row of the table.

    `alone` is the share of the buyer's points that the seller covers. `expected` is the share that
    as many rows as the seller's, drawn from the buyer's own population, would cover. `added` is by
    how much the seller raises the share that the sellers before it in `Coverage.order` cover; None
    for the first seller, or if unknown.
    """

    label: str
    alone: str
    expected: str
    added: str | None


@dataclass(frozen=True)
class CoverageRows:
    """The table of coverage.

    At most `MOST_ROWS` sellers have a row. `adds` says whether any seller but the first is known to
    add more than 0.5 % of the buyer's points to those covered by the sellers before it in
    `Coverage.order`. If `adds` is true, rows are in that order, otherwise in the order of the
    result's sellers. `together` is the share of the buyer's points that all sellers together cover;
    None if there is only one seller.
    """

    rows: list[CoverageRow]
    adds: bool
    together: str | None


def coverage_rows(report: Report) -> CoverageRows | None:
    """Return the table of coverage, or None if coverage at t0 is not known.

    It is not known in a report that the service makes, because the service does not know t0. Nor is
    it known if distances carry noise, or if no points could be compared.
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
