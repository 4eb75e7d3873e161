"""Read columns that have one value in many rows, such as a fill value for missing ones."""

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import crowded_planes

_WHY = (
    "many rows have one value of it, and so it is exactly a column of the table before it was "
    "scaled or mixed, or a sum of some"
)


def run(cloud: Cloud) -> Components:
    """Find planes with more rows on them than by chance; return all rows' distances from each.

    The rows on a plane have one value of a column, and the distances are that column. Some rows may
    lie on two planes at once. So also return coordinates along two more kinds of directions: those
    in which the rows on a plane do not differ, and those in which the rows off it do not differ.
    """
    found = crowded_planes(cloud.points, cloud.columns)
    return Components(
        found, certain=tuple(CertainCombination(each, _WHY, exact=True) for each in found.T)
    )


PLANES = ColumnAttack("planes of many rows", frozenset(), run)
