"""The attack that takes the pushed points as they are."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass


def run(target: Target) -> AttackResult:
    """Return the pushed points themselves: at the smallest s or, from a buyer, at t0."""
    s = target.pushes[0] if target.pushes else None
    return AttackResult.of(target.pushed[s], reaches=DisclosureClass.UP_TO_ISOMETRY, pushed=True)


PUSHED_POINTS = Attack(
    "pushed points", frozenset({Knowledge.PUSHED_POINTS}), DisclosureClass.UP_TO_ISOMETRY, run
)
