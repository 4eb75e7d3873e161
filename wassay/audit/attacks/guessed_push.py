"""The attack that inverts a buyer's push towards a reference of several points."""

from dataclasses import replace

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.audit.messages import BuyerMeasure
from wassay.disclosure_class import DisclosureClass
from wassay.transport.inversion import TRIAL_SOLVES, invert_push, invert_unknown_push


def run(target: Target) -> AttackResult | None:
    """Return the buyer's records, computed with t0 or, if it is not given, an estimate.

    Return None if the message is not a buyer's, or the reference is one point.
    """
    sent, secrets = target.sent, target.secrets
    if not isinstance(sent, BuyerMeasure) or secrets.is_one_point:
        return None
    pushed, solves = target.measure_at(None), min(target.max_solves, TRIAL_SOLVES)
    # An estimate of t0 takes a hundred times as long as one inversion, so a given t0 is used.
    if sent.push is None:
        others = secrets.redraws()
        found = invert_unknown_push(pushed, secrets.measure, others, max_solves=solves)
    else:
        found = invert_push(pushed, secrets.measure, sent.push, max_solves=solves)
        found = replace(found, method=f"t0 guessed, then {found.method}")
    return AttackResult.of(found, reaches=DisclosureClass.APPROXIMATE)


GUESSED_PUSH = Attack(
    "guessed push",
    frozenset({Knowledge.PUSHED_POINTS, Knowledge.REFERENCE}),
    DisclosureClass.APPROXIMATE,
    run,
)
