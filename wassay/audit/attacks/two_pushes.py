"""The attack that extrapolates two pushes of the same points to s = 0."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.audit.messages import SellerCostBlocks
from wassay.disclosure_class import DisclosureClass
from wassay.transport.inversion import extrapolate


def run(target: Target) -> AttackResult | None:
    """Return the records, computed from the pushed points at the smallest and the largest s.

    Return None unless the receiver knows all coordinates of the pushed points.
    """
    if not target.located:
        return None
    first, *_, last = target.pushes
    # At s = 0, a record lies on the line through its two pushed points.
    found = extrapolate(target.measure_at(first), target.measure_at(last), first, last)
    located = isinstance(target.sent, SellerCostBlocks)
    return AttackResult.of(found, method=f"trilateration, then {found.method}" if located else "")


TWO_PUSHES = Attack(
    "two pushes",
    frozenset({Knowledge.PUSHED_POINTS, Knowledge.PUSH, Knowledge.TWO_PUSHES}),
    DisclosureClass.EXACT,
    run,
)
