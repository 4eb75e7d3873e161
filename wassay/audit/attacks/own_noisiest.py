"""State what a list of the receiver's own noisiest points reveals of the buyer's records."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass


def run(_: Target) -> AttackResult:
    """State how many bits the list reveals about each of the buyer's records."""
    return AttackResult(
        DisclosureClass.SCORES,
        "which few of the seller's own points are the noisiest: a bit for each record, 1.7 for a "
        "seller of very many points",
    )


OWN_NOISIEST = Attack(
    "own noisiest", frozenset({Knowledge.OWN_NOISIEST}), DisclosureClass.SCORES, run
)
