"""Read columns that depend on each other in ways that normal variables do not."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import flat_directions


def run(cloud: Cloud) -> Components:
    """Return coordinates along the directions in which nearly constant quadratics change most.

    A quadratic function that is nearly constant on the points shows that columns depend on each
    other. Its three directions are estimates of these columns. At most ten functions are used.
    """
    return Components(flat_directions(cloud.points))


QUADRATICS = ColumnAttack("the flattest quadratics", frozenset(), run)
