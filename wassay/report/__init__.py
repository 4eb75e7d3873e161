"""One page about one evaluation, for its buyer: self-contained HTML that loads nothing."""

from wassay.report.content import MOST_PICTURES, Distance, Pushed, Report
from wassay.report.page import CONTENT_SECURITY_POLICY, render

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "MOST_PICTURES",
    "Distance",
    "Pushed",
    "Report",
    "render",
]
