"""Find the sender's records by reflecting the receiver's records in FedWad's measure ξ.

If both parties have equally many records and t = ½ in every round, each point of ξ lies half-way
between a record of one party and a record of the other.
"""

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.audit.messages import FedWadMessages
from wassay.disclosure_class import DisclosureClass
from wassay.transport import Measure, PointCost
from wassay.transport.inversion import Reconstruction, reflect

METHOD = (
    "the receiver's records reflected in ξ, which is half-way between partners if both sides have "
    "equally many records and t = ½"
)


def run(target: Target) -> AttackResult | None:
    """Return the sender's records, in the order of the message.

    Only describe the attack if the receiver's records are not given, or if parties and ξ do not
    have equally many points. Return None if the message is not one of FedWad.
    """
    sent = target.sent
    if not isinstance(sent, FedWadMessages):
        return None
    own, midpoint = sent.receiver, sent.round.xi
    if own is None or not own.size == midpoint.size == sent.share.size:
        return AttackResult(
            DisclosureClass.EXACT,
            f"{METHOD}; not run without the records of both parties, equally many",
        )
    from wassay.transport import wasserstein  # other audits do not need the solver

    reflected = reflect(own, midpoint)
    # The attack finds records in any order. For the comparison, order them like those of η.
    ordered = np.empty_like(reflected.points)
    ordered[_partners(midpoint, sent.share)] = reflected.points[_partners(midpoint, own)]
    moved = wasserstein(sent.round.start, midpoint).value / wasserstein(own, midpoint).value
    return AttackResult.of(
        Reconstruction(
            points=ordered[sent.rows],
            method=METHOD,
            residual=moved,
            rank=reflected.dimension,
            span_distances=np.zeros(len(sent.rows)),
            solves=1,
            queries=1,
        )
    )


def _partners(midpoint: Measure, measure: Measure) -> NDArray[np.intp]:
    """Return the row of `measure` that the optimal plan matches with each point of `midpoint`."""
    from wassay.transport import solve

    found = solve(PointCost(midpoint, measure), midpoint.weights, measure.weights)
    partners = np.empty(midpoint.size, dtype=np.intp)
    partners[found.rows] = found.columns
    return partners


REFLECTION = Attack("reflection", frozenset({Knowledge.MIDPOINT}), DisclosureClass.EXACT, run)
