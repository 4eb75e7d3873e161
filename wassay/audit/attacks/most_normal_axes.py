"""The attack that reads columns of normal scores (normal quantiles of ranks) without jitter."""

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import most_normal_components

_WHY = (
    "more normal than a random sample, and so a column of normal scores before it was scaled or "
    "mixed"
)


def run(cloud: Cloud) -> Components:
    """Return the points' coordinates along the directions in which they are most normal.

    Along these directions, the points are closer to a normal distribution than random draws are.
    """
    # Without jitter, a recipe gives a column normal scores at regular levels, which are closer to a
    # normal distribution than a random sample. With jitter, scores are only as close as a sample.
    found = most_normal_components(cloud.points, cloud.columns)
    return Components(
        found, certain=tuple(CertainCombination(each, _WHY, exact=False) for each in found.T)
    )


MOST_NORMAL_AXES = ColumnAttack("the most normal directions", frozenset(), run)
