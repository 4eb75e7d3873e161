"""Locate a seller's points by the exact scores of these points and of the buyer's points."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass


def run(target: Target) -> AttackResult:
    """State how many of the buyer's points, with their scores, locate one record of the seller."""
    # The exact scores of the buyer's points give the potential f(x) of each such point x. f(x) −
    # ‖x‖² is a piecewise linear function of x, and its slopes give the seller's points.
    return AttackResult(
        DisclosureClass.EXACT,
        "distances and scores; where every seller shows scores, those of the buyer's own points as "
        f"well, which locate each record by some {target.dimension + 1} of the buyer's points",
    )


SCORES = Attack(
    "scores", frozenset({Knowledge.DISTANCES, Knowledge.SCORES}), DisclosureClass.EXACT, run
)
