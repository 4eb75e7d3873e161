"""Invert what a party of FedWad sends: its records, moved half-way towards the measure ξ.

FedWad estimates the distance of two parties' records in rounds. The receiver knows that t = ½, and
knows ξ, which the parties compute anew in every round.
"""

from dataclasses import replace

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.audit.messages import FedWadMessages
from wassay.disclosure_class import DisclosureClass
from wassay.transport.fedwad_rounds import HALF
from wassay.transport.inversion import invert_push


def run(target: Target) -> AttackResult | None:
    """Return the sender's records, or None if the message is not one of FedWad."""
    sent = target.sent
    if not isinstance(sent, FedWadMessages):
        return None
    # The optimal plan moves a record x to points of ξ, as ξ was before the round. If b is the mean
    # of these points, (x + b)/2 is sent.
    found = invert_push(sent.share, sent.round.start, HALF, max_solves=target.max_solves)
    return AttackResult.of(
        replace(
            found,
            points=found.points[sent.rows],
            span_distances=found.span_distances[sent.rows],
            method=f"one round alone, with t = ½: {found.method}",
        )
    )


HALF_WAY = Attack("half-way", frozenset({Knowledge.HALF_WAY}), DisclosureClass.EXACT, run)
