"""The attack that reads columns of whole numbers from the lattice on which the points lie."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.audit.messages import BuyerMeasure
from wassay.transport.inversion import integer_columns


def run(cloud: Cloud) -> Components | None:
    """Return the coordinates along a short basis of the lattice; None if no lattice is found."""
    found = integer_columns(cloud.points)
    if found is None:
        return None
    private = isinstance(cloud.target.sent, BuyerMeasure)
    return Components(
        found.columns,
        "a step has the length 1 − t0 if columns hold whole numbers, which gives t0"
        if private
        else "",
    )


LATTICE = ColumnAttack("lattice reduction", frozenset(), run)
