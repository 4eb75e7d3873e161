"""Read columns that have one value in many rows, such as a fill value for missing ones."""

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import crowded_planes

_WHY = (
    "many rows have one value of it, and so it is exactly a column of the table before it was "
    "scaled or mixed, or a sum of some"
)


def run(cloud: Cloud) -> Components:
    """Find planes that hold more rows than chance explains, and return the columns they show.

    The signed distances of the rows from a plane are a column: the rows on the plane share one of
    its values. If these rows share a value of further columns, those are returned too.
    """
    found = crowded_planes(cloud.points, cloud.columns)
    return Components(
        found, certain=tuple(CertainCombination(each, _WHY, exact=True) for each in found.T)
    )


PLANES = ColumnAttack("planes of many rows", frozenset(), run)
