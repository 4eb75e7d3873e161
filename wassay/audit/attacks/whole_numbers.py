"""Read columns of whole numbers, or of decimals, that are beside other columns."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import integer_combinations


def run(cloud: Cloud) -> Components:
    """Return the combinations of coordinates that are whole in every row, and count them.

    The columns that were sent may themselves be mixtures, as whitening makes them. What is whole
    is then a column of the table before, with which the audit cannot compare it.
    """
    found = integer_combinations(cloud.points)
    count = found.shape[1]
    return Components(
        found,
        f"{count} combination{'s' if count > 1 else ''} of the columns: whole numbers in every "
        "record, and so columns of the table before it was scaled or mixed, or their sums"
        if count
        else "",
    )


WHOLE_NUMBERS = ColumnAttack("integer relations", frozenset(), run)
