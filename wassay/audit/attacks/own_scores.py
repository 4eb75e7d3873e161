"""Locate a seller's records by the exact scores that another seller sees of their own points."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass


def run(target: Target) -> AttackResult:
    """State how many potentials of the buyer's points, which the scores give, locate one record."""
    return AttackResult(
        DisclosureClass.EXACT,
        "where every seller shows scores, the exact scores of their own points give the potentials "
        f"of the buyer's, and these each record, by some {target.dimension + 1} of the buyer's "
        "points",
    )


OWN_SCORES = Attack("own scores", frozenset({Knowledge.OWN_SCORES}), DisclosureClass.EXACT, run)
