"""Take principal components for columns."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import principal_components


def run(cloud: Cloud) -> Components:
    """Return the coordinates along the principal axes, which columns of different scale lie on."""
    return Components(principal_components(cloud.points))


PRINCIPAL_AXES = ColumnAttack("principal components", frozenset(), run)
