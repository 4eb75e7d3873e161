"""State what a receiver can compute from the distances that the seller's caps allow."""

from wassay.audit.attacks.attack import Attack, Finding, Knowledge, Target
from wassay.disclosure_class import DisclosureClass
from wassay.readable_projections import projections_read


def run(target: Target) -> Finding:
    """State how many attributes the allowed distances reveal, and how many would locate all points.

    An attribute is the coordinate of all records along one direction. Its values are revealed in
    sorted order, without the records that they belong to. Nothing is computed from the message.
    """
    needed = target.size * (target.dimension + 1) + 1
    if target.questions is None:
        read, allowed = target.dimension, "any number is allowed, which reads every attribute"
    else:
        read = projections_read(target.questions, target.size, target.dimension)
        allowed = f"the caps allow {target.questions}, which read " + (
            f"the sorted values of {read} attributes" if read else "no attribute"
        )
    return Finding(
        DisclosureClass.PROJECTION if read else DisclosureClass.SCALARS,
        f"distances: {allowed}; {needed} over chosen pairs of atoms would locate all points",
        rank=read or None,
    )


DISTANCES = Attack("distances", frozenset({Knowledge.DISTANCES}), DisclosureClass.PROJECTION, run)
