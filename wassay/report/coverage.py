"""The coverage of the buyer's points, at the buyer's private t0."""

from wassay import models
from wassay.coverage import Coverage, coverage_at
from wassay.report.report import Report


def coverage_of(report: Report) -> Coverage | None:
    """Return the coverage; None in a report by the service, or if no points could be compared."""
    if report.private is None or isinstance(report.result, models.NoisedResult):
        return None
    return coverage_at(report.result, report.private.t0, report.labels)
