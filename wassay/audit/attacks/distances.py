"""State what a receiver can compute from the distances that the seller's caps allow."""

from wassay.audit.attacks.attack import Attack, AttackResult, Knowledge, Target
from wassay.disclosure_class import DisclosureClass
from wassay.readable_projections import projections_read


def run(target: Target) -> AttackResult:
    """State how many attributes a receiver reads from the distances that the seller's caps allow.

    An attribute is the sorted coordinates of all records along one direction.
    """
    needed = target.size * (target.dimension + 1) + 1
    if target.questions is None:
        read, allowed = target.dimension, "any number is allowed, which reads every attribute"
    else:
        read = projections_read(target.questions, target.size, target.dimension)
        allowed = f"the caps allow {target.questions}, which read " + (
            f"the sorted values of {read} attributes" if read else "no attribute"
        )
    return AttackResult(
        DisclosureClass.PROJECTION if read else DisclosureClass.SCALARS,
        f"distances: {allowed}; {needed} over chosen pairs of atoms would locate all points",
        rank=read or None,
    )


DISTANCES = Attack("distances", frozenset({Knowledge.DISTANCES}), DisclosureClass.PROJECTION, run)
