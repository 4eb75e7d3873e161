"""The attack that reads columns with one value in many rows, such as a fill value."""

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import crowded_planes

_WHY = (
    "many rows have one value of it, and so it is exactly a column of the table before it was "
    "scaled or mixed, or a sum of some"
)


def run(cloud: Cloud) -> Components:
    """Find columns in which more rows have the same value than chance explains."""
    # Rows with the same value lie on a plane, and the distance from it is the column.
    found = crowded_planes(cloud.points, cloud.columns)
    return Components(
        found, certain=tuple(CertainCombination(each, _WHY, exact=True) for each in found.T)
    )


PLANES = ColumnAttack("planes of many rows", frozenset(), run)
