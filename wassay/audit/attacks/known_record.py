"""The attack that finds t0 from known records, if all points of the reference coincide."""

from dataclasses import replace

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.audit.messages import BuyerMeasure
from wassay.disclosure_class import DisclosureClass
from wassay.transport import TransportError
from wassay.transport.inversion import invert_push, push_from_known_records


def run(target: Target) -> AttackResult | None:
    """Return the buyer's records, computed with the t0 that known records give.

    Return None if the message is not a buyer's, or the reference has several points.
    """
    if not (isinstance(target.sent, BuyerMeasure) and target.secrets.is_one_point):
        return None
    pushed, reference = target.measure_at(None), target.secrets.measure
    try:
        # A record x was sent as (1 − t0)·x + t0·γ.
        t0 = push_from_known_records(
            pushed.points[target.known], target.known_records, reference.points[0]
        )
    except TransportError:
        # The known records do not give t0, so only state what the receiver finds.
        return AttackResult(
            DisclosureClass.APPROXIMATE,
            "records up to one factor, which depends on t0 alone: a single known record, or the "
            "range of a coordinate, gives it",
        )
    found = invert_push(pushed, reference, t0)
    return AttackResult.of(replace(found, method=f"t0 from a known record, then {found.method}"))


KNOWN_RECORD = Attack(
    "known record",
    frozenset({Knowledge.PUSHED_POINTS, Knowledge.REFERENCE}),
    DisclosureClass.EXACT,
    run,
)
