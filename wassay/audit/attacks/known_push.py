"""The attack that inverts a push whose s and reference are known."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass
from wassay.transport.inversion import invert_push


def run(target: Target) -> AttackResult | None:
    """Return the records, computed from the pushed points at the smallest s.

    Return None unless the receiver knows all coordinates of the pushed points.
    """
    if not target.located:
        return None
    s = target.pushes[0]
    reference = target.secrets.measure
    found = invert_push(target.measure_at(s), reference, s, max_solves=target.max_solves)
    return AttackResult.of(found)


KNOWN_PUSH = Attack(
    "known push",
    frozenset({Knowledge.PUSHED_POINTS, Knowledge.PUSH, Knowledge.REFERENCE}),
    DisclosureClass.EXACT,
    run,
)
