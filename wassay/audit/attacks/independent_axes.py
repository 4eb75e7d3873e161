"""Read columns by independent component analysis."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components


def run(cloud: Cloud) -> Components:
    """Return the least Gaussian directions, which are independent columns of any scale."""
    return Components(cloud.independent)


INDEPENDENT_AXES = ColumnAttack("independent components", frozenset(), run)
"""The attack on rotated data is that of Guo & Wu, Deriving Private Information from Arbitrarily
Projected Data (2007)."""
