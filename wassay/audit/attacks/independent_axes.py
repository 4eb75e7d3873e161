"""Take independent components for columns."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components


def run(cloud: Cloud) -> Components:
    """Return what is least Gaussian, which independent columns are, whatever their scale."""
    return Components(cloud.independent)


INDEPENDENT_AXES = ColumnAttack("independent components", frozenset(), run)
"""Known against rotated data since Guo & Wu, Deriving Private Information from Arbitrarily
Projected Data (2007)."""
