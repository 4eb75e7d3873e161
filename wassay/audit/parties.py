"""What buyer and sellers learn from what they are told, for which no attack needs to be run."""

from __future__ import annotations

from dataclasses import replace

from wassay.audit.exposure import Exposure
from wassay.audit.sent import BuyerMeasure
from wassay.disclosure_class import DisclosureClass
from wassay.models import ScorePolicy
from wassay.transport import Measure


def sellers(sent: BuyerMeasure, informed: Exposure, dimension: int) -> tuple[Exposure]:
    """What sellers see, or compute from the scores of their own points.

    The potential of a seller's point is piecewise linear once the point's square is taken away,
    and the slopes are the buyer's pushed points.
    """
    if sent.shown_to_sellers:
        return (replace(informed, receiver="each accepted seller"),)
    if sent.own_scores == "scores":
        way = (
            "the exact scores of the seller's own points give the pushed records, by some "
            f"{dimension + 1} points of the seller for each record; then {informed.explanation}"
        )
        return (replace(informed, receiver="each seller", explanation=way),)
    if sent.own_scores == "none":
        return (Exposure("each seller", DisclosureClass.NOTHING, "sees no part of it"),)
    return (
        Exposure(
            "each seller",
            DisclosureClass.SCORES,
            "which few of the seller's own points are the noisiest: a bit for each record and s, "
            "1.7 for a seller of very many points",
        ),
    )


def buyer(records: Measure, scores: ScorePolicy, epsilon: float | None) -> Exposure:
    """What the buyer reads in a result, and how many chosen questions would reveal the rest."""
    to_locate = records.dimension + 1
    if epsilon is not None:
        return Exposure(
            "the buyer",
            DisclosureClass.SCALARS,
            f"distances with noise: all that one evaluation says is at most e^{epsilon:g} times as "
            "likely as with any other record in place of one; over several, the epsilons add up",
        )
    if scores == "scores":
        return Exposure(
            "the buyer",
            DisclosureClass.EXACT,
            "distances and scores; where every seller shows scores, those of the buyer's own "
            f"points as well, which locate each record by some {to_locate} of the buyer's points",
        )
    return Exposure(
        "the buyer",
        DisclosureClass.SCALARS if scores == "none" else DisclosureClass.SCORES,
        f"distances{'' if scores == 'none' else ' and ranks'}; "
        f"{records.size * to_locate + 1} requests over chosen pairs of atoms would locate all "
        f"points{'' if scores == 'none' else f', and {to_locate} nearly, by the ranks'}",
    )


def other_sellers(dimension: int, *, told: bool) -> Exposure:
    """What sellers compute of each other's records; `told` exact scores of their own, or not."""
    if not told:
        return Exposure("other sellers", DisclosureClass.NOTHING, "see no part of it")
    return Exposure(
        "other sellers",
        DisclosureClass.EXACT,
        "where every seller shows scores, the exact scores of their own points give the potentials "
        f"of the buyer's, and these each record, by some {dimension + 1} of the buyer's points",
    )
