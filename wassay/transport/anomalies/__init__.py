"""Detect anomalies in contributions: copied, repeated or weightless points, impossible arrays.

A finding is no accusation: two sellers may own the same public records.
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
