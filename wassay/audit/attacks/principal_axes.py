"""Read columns by principal component analysis."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components


def run(cloud: Cloud) -> Components:
    """Return the coordinates along the principal axes, which are columns if their scales differ."""
    return Components(cloud.principal)


PRINCIPAL_AXES = ColumnAttack("principal components", frozenset(), run)
"""The attack on rotated data is that of Liu, Giannella & Kargupta, An Attacker's View of Distance
Preserving Maps for Privacy Preserving Data Mining (2006)."""
