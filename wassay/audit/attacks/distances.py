"""Locate points by the distances of many evaluations."""

from wassay.audit.attacks.attack import Attack, Finding, Knowledge, Target
from wassay.disclosure_class import DisclosureClass


def run(target: Target) -> Finding:
    """State how many evaluations would locate all points; one alone gives its distances only."""
    queries = target.size * (target.dimension + 1) + 1
    return Finding(
        DisclosureClass.SCALARS,
        f"distances; {queries} requests over chosen pairs of atoms would locate all points",
    )


DISTANCES = Attack("distances", frozenset({Knowledge.DISTANCES}), DisclosureClass.SCALARS, run)
