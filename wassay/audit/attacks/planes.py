"""Read columns that have one value in many rows, such as a fill value for missing ones."""

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import crowded_planes

_WHY = (
    "many rows have one value of it, and so it is exactly a column of the table before it was "
    "scaled or mixed, or a sum of some"
)


def run(cloud: Cloud) -> Components:
    """Find planes with more rows on them than chance explains; return the distances of all rows.

    The rows on a plane share one value of a column, and the distances from the plane are that
    column. Because some rows may lie on two planes at once, also return coordinates along two
    further kinds of directions. In a direction of the first kind, all rows on a plane are equal; in
    one of the second kind, all rows off it are.
    """
    found = crowded_planes(cloud.points, cloud.columns)
    return Components(
        found, certain=tuple(CertainCombination(each, _WHY, exact=True) for each in found.T)
    )


PLANES = ColumnAttack("planes of many rows", frozenset(), run)
