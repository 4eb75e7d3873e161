"""Read columns that depend on each other in ways that normal variables do not."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import flat_directions


def run(cloud: Cloud) -> Components:
    """Return coordinates along the directions in which nearly constant quadratics change most.

    A quadratic function of the coordinates that is nearly the same at all points shows a dependence
    between columns. The coordinates along its steepest directions are estimates of these columns.
    """
    return Components(flat_directions(cloud.points))


QUADRATICS = ColumnAttack("the flattest quadratics", frozenset(), run)
