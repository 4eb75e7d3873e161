"""Read columns that depend on each other in ways that normal variables do not."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import flat_directions


def run(cloud: Cloud) -> Components:
    """Find the quadratics that vary least among the points; return their steepest directions.

    A quadratic function of the coordinates that is nearly the same at all points shows a dependence
    between columns. The directions along which it changes most are estimates of these columns.
    """
    return Components(flat_directions(cloud.points))


QUADRATICS = ColumnAttack("the flattest quadratics", frozenset(), run)
