"""Read columns of whole numbers or decimals from points that also have other columns."""

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import integer_combinations


def run(cloud: Cloud) -> Components:
    """Return the linear combinations of coordinates that are whole numbers in every row.

    Chance makes no such combination. So each is a column of the original table, or a sum of such
    columns, even if the columns that were sent are mixtures, as after whitening.
    """
    found = integer_combinations(cloud.points)
    return Components(found, certain=tuple(map(CertainCombination.of_whole_numbers, found.T)))


WHOLE_NUMBERS = ColumnAttack("integer relations", frozenset(), run)
