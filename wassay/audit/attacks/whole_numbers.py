"""The attack that reads whole numbers or decimals from points that also have other columns."""

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import integer_combinations


def run(cloud: Cloud) -> Components:
    """Find linear combinations of the coordinates that are whole numbers in every row.

    Each is a column of the original table, or a sum or difference of columns, counted in steps.
    """
    # Sums of such combinations are whole too, so only a basis of short ones is returned.
    found = integer_combinations(cloud.points)
    return Components(found, certain=tuple(map(CertainCombination.of_whole_numbers, found.T)))


WHOLE_NUMBERS = ColumnAttack("integer relations", frozenset(), run)
