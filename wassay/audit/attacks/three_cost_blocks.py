"""The attack that finds the cost block at s = 0 from three others, and from it the records."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.audit.messages import SellerCostBlocks
from wassay.disclosure_class import DisclosureClass
from wassay.transport.inversion import trilaterate, unpushed_cost_block


def run(target: Target) -> AttackResult | None:
    """Return the records, located by their squared distances to the buyer's points.

    Return None if the message has no cost blocks.
    """
    sent = target.sent
    if not isinstance(sent, SellerCostBlocks):
        return None
    # Each squared distance is a quadratic function of s, so three blocks give its value at s = 0.
    squared = unpushed_cost_block(sent.blocks, sent.order)
    return AttackResult.of(trilaterate(squared, sent.buyer.points, sent.classes))


THREE_COST_BLOCKS = Attack(
    "three cost blocks",
    frozenset({Knowledge.COST_BLOCKS, Knowledge.PUSH, Knowledge.THREE_PUSHES}),
    DisclosureClass.EXACT,
    run,
)
