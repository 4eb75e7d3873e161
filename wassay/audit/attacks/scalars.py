"""The attack that reads the numbers that mode `scalar` sends."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass


def run(_: Target) -> AttackResult:
    """State that the sent numbers describe all records together."""
    return AttackResult(
        DisclosureClass.SCALARS, "a few numbers for each s, on all records together"
    )


SCALARS = Attack("scalars", frozenset({Knowledge.SCALARS}), DisclosureClass.SCALARS, run)
