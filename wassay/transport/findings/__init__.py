"""Answers that honest sellers would hardly give: copies, repeated points, impossible costs.

A finding says what the arrays show, and how likely it is in honest data. It accuses nobody: two
sellers may own the same public records. Nothing is left out of a result because of one.
"""

from wassay.transport.findings.answers import Answer, SweptBlocks, SweptMeasures
from wassay.transport.findings.examination import examine
from wassay.transport.findings.finding import Finding, FindingKind

__all__ = ["Answer", "Finding", "FindingKind", "SweptBlocks", "SweptMeasures", "examine"]
