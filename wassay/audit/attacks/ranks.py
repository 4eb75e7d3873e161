"""Locate a seller's points by the ranks of their scores in several evaluations."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass


def run(target: Target) -> AttackResult:
    """State how many evaluations locate the seller's points approximately, and how many exactly."""
    per_record = target.dimension + 1
    return AttackResult(
        DisclosureClass.SCORES,
        f"distances and ranks; {target.size * per_record + 1} requests over chosen pairs of atoms "
        f"would locate all points, and {per_record} nearly, by the ranks",
    )


RANKS = Attack(
    "ranks", frozenset({Knowledge.DISTANCES, Knowledge.RANKS}), DisclosureClass.SCORES, run
)
