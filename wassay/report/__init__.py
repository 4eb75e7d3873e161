"""The report of an evaluation: one self-contained HTML page for its buyer."""

from wassay.report.page import CONTENT_SECURITY_POLICY, render
from wassay.report.report import (
    MOST_PLOTS,
    MOST_WRONG_LABELS,
    NAMING,
    Distance,
    PrivateDistances,
    Report,
    WrongLabels,
)

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "MOST_PLOTS",
    "MOST_WRONG_LABELS",
    "NAMING",
    "Distance",
    "PrivateDistances",
    "Report",
    "WrongLabels",
    "render",
]
