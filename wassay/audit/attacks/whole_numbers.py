"""Read columns of whole numbers, or of decimals, that are beside other columns."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import integer_combinations


def run(cloud: Cloud) -> Components:
    """Return the combinations of coordinates that are whole in every row.

    Chance does not make them whole, so they are read even if the columns that were sent are
    mixtures, as whitening makes them: what is whole is a column of the table before, or a sum.
    """
    return Components(integer_combinations(cloud.points), certain=True)


WHOLE_NUMBERS = ColumnAttack("integer relations", frozenset(), run)
