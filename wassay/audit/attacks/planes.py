"""The attack that reads columns with one value in many rows, such as a fill value."""

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import crowded_planes

_WHY = (
    "many rows have one value of it, and so it is exactly a column of the table before it was "
    "scaled or mixed, or a sum of some"
)


def run(cloud: Cloud) -> Components:
    """Find planes that hold more rows than chance explains, and return the columns they show.

    The signed distance from such a plane is a column: all rows on the plane have the same value in
    it. If the rows on a plane, or those off it, share a value of another column, that column is
    returned too.
    """
    found = crowded_planes(cloud.points, cloud.columns)
    return Components(
        found, certain=tuple(CertainCombination(each, _WHY, exact=True) for each in found.T)
    )


PLANES = ColumnAttack("planes of many rows", frozenset(), run)
