"""The attack that reads columns by principal component analysis."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components


def run(cloud: Cloud) -> Components:
    """Return the points' principal components.

    If the columns are uncorrelated and differ in scale, these components are the columns.
    """
    return Components(cloud.principal)


PRINCIPAL_AXES = ColumnAttack("principal components", frozenset(), run)
"""This attack on rotated data is from Liu, Giannella & Kargupta, An Attacker's View of Distance
Preserving Maps for Privacy Preserving Data Mining (2006)."""
