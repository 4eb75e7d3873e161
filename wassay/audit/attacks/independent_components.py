"""The attack that reads columns by independent component analysis."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components


def run(cloud: Cloud) -> Components:
    """Return the points' coordinates along directions in which they are clearly not Gaussian.

    If the columns are independent and not Gaussian, these coordinates are the columns.
    """
    return Components(cloud.independent)


INDEPENDENT_COMPONENTS = ColumnAttack("independent components", frozenset(), run)
"""This attack on rotated data is from Guo & Wu, Deriving Private Information from Arbitrarily
Projected Data (2007)."""
