"""The receivers of a message, and what each of them knows."""

from __future__ import annotations

from dataclasses import dataclass

from wassay.audit.attacks.attack import Knowledge
from wassay.audit.messages import (
    Arrays,
    BuyerMeasure,
    FedWadMessages,
    SellerCostBlocks,
    SellerMeasures,
    SellerScalars,
    Sent,
)
from wassay.models import ScorePolicy

_SERVICE, _COLLUDING = "the service", "the service and a seller together"
_TWO, _THREE = 2, 3


@dataclass(frozen=True)
class Receiver:
    """A party that receives a message, or results computed from it.

    Attributes
    ----------
    name : str
    knowledge : frozenset of Knowledge
    source : str
        How the receiver computes the pushed points; empty if the receiver gets them, or cannot
        compute them.
    colluding : bool
        Whether the receiver is two parties who share their knowledge.
    """

    name: str
    knowledge: frozenset[Knowledge]
    source: str = ""
    colluding: bool = False


def receivers_of(
    sent: Sent,
    dimension: int,
    *,
    sealed: bool,
    scores: ScorePolicy,
    reveals_scores: bool,
    noised: bool,
) -> tuple[Receiver, ...]:
    """List the receivers of a message.

    Parameters
    ----------
    sent : Sent
    dimension : int
        Number of coordinates of a pushed point.
    sealed : bool
        Whether the service knows neither the reference nor the isometry.
    scores : {'none', 'ranks', 'scores'}
        What the buyer is shown of the scores of a seller's points.
    reveals_scores : bool
        Whether the request shows sellers the exact scores of their own points.
    noised : bool
        Whether distances carry noise.
    """
    if isinstance(sent, FedWadMessages):
        known = frozenset({Knowledge.REFERENCE})
        return (
            Receiver("the other party, from ξ", known | {Knowledge.MIDPOINT}),
            Receiver("anyone who reads the round", known | {Knowledge.HALF_WAY}),
        )
    message = _knowledge_of(sent)
    informed = message | {Knowledge.REFERENCE}
    service = Receiver(_SERVICE, message if sealed else informed)
    colluding = Receiver(_COLLUDING, informed, colluding=True)
    if isinstance(sent, BuyerMeasure):
        return service, _seller(sent, informed, dimension), colluding
    if isinstance(sent, SellerScalars):
        scores, reveals_scores, noised = "none", False, False
    others = {Knowledge.OWN_SCORES} if reveals_scores and scores == "scores" else set()
    return (
        service,
        Receiver("the buyer", frozenset({Knowledge.REFERENCE} | _shown_to_buyer(scores, noised))),
        Receiver("other sellers", frozenset({Knowledge.REFERENCE} | others)),
        colluding,
    )


def _knowledge_of(sent: Arrays | SellerScalars) -> frozenset[Knowledge]:
    """Return what a receiver without the reference's key knows from the message."""
    if isinstance(sent, SellerScalars):
        return frozenset({Knowledge.SCALARS})
    if isinstance(sent, BuyerMeasure):
        return frozenset({Knowledge.PUSHED_POINTS})
    known = {Knowledge.PUSHED_POINTS, Knowledge.PUSH}
    arrays = len(sent.measures) if isinstance(sent, SellerMeasures) else len(sent.blocks)
    if isinstance(sent, SellerCostBlocks):
        known.add(Knowledge.COST_BLOCKS)
    if arrays >= _TWO:
        known.add(Knowledge.TWO_PUSHES)
    if arrays >= _THREE:
        known.add(Knowledge.THREE_PUSHES)
    return frozenset(known)


def _shown_to_buyer(scores: ScorePolicy, noised: bool) -> set[Knowledge]:
    if noised:
        return {Knowledge.NOISED_DISTANCES}
    shown: dict[ScorePolicy, set[Knowledge]] = {
        "none": set(),
        "ranks": {Knowledge.RANKS},
        "scores": {Knowledge.SCORES},
    }
    return {Knowledge.DISTANCES} | shown[scores]


def _seller(sent: BuyerMeasure, informed: frozenset[Knowledge], dimension: int) -> Receiver:
    """Return the receiver that stands for any seller who contributes to the request.

    `informed` is what a receiver knows who has the message and the reference's key.
    """
    if sent.shown_to_sellers:
        return Receiver("each accepted seller", informed)
    if sent.own_scores == "scores":
        # The potential of a seller's point y minus ‖y‖² is a piecewise linear function of y, and
        # its slopes give the buyer's points.
        source = (
            "the exact scores of the seller's own points give the pushed records, by some "
            f"{dimension + 1} points of the seller for each record; then "
        )
        return Receiver("each seller", informed, source)
    shown = {Knowledge.OWN_NOISIEST} if sent.own_scores == "noisiest" else set()
    return Receiver("each seller", frozenset({Knowledge.REFERENCE} | shown))
