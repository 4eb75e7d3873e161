"""Take principal components for columns."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components


def run(cloud: Cloud) -> Components:
    """Return the coordinates along the principal axes, which columns of different scale lie on."""
    return Components(cloud.principal)


PRINCIPAL_AXES = ColumnAttack("principal components", frozenset(), run)
"""Known against rotated data since Liu, Giannella & Kargupta, An Attacker's View of Distance
Preserving Maps for Privacy Preserving Data Mining (2006)."""
