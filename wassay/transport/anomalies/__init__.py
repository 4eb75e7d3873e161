"""Detect anomalies in contributions: copied, repeated or weightless points, impossible arrays.

A finding reports what the arrays show and how probable that is in honest data. It is no accusation:
two sellers may own the same public records. No contribution is excluded because of a finding.
"""

from wassay.transport.anomalies.detection import detect_anomalies
from wassay.transport.anomalies.finding import Finding, FindingKind
from wassay.transport.anomalies.swept_contributions import (
    SweptBlocks,
    SweptContribution,
    SweptMeasures,
)

__all__ = [
    "Finding",
    "FindingKind",
    "SweptBlocks",
    "SweptContribution",
    "SweptMeasures",
    "detect_anomalies",
]
