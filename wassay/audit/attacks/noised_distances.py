"""State what distances with noise reveal."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass


def run(target: Target) -> AttackResult:
    """State what ε-differential privacy guarantees for each record; nothing is computed."""
    return AttackResult(
        DisclosureClass.SCALARS,
        f"distances with noise: no result of an evaluation is more than "
        f"e^{target.epsilon:g} times as likely as with any other record in place of one; over "
        "several evaluations, the epsilons add up",
    )


NOISED_DISTANCES = Attack(
    "distances with noise", frozenset({Knowledge.NOISED_DISTANCES}), DisclosureClass.SCALARS, run
)
