"""Read columns that depend on each other in ways that normal variables do not."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import flat_directions


def run(cloud: Cloud) -> Components:
    """Find nearly constant quadratics, and return coordinates along their steepest directions.

    A quadratic function of the coordinates that is nearly the same at all points shows a dependence
    between columns. The coordinates along the three directions in which it changes most are
    estimates of these columns. At most ten such functions are used.
    """
    return Components(flat_directions(cloud.points))


QUADRATICS = ColumnAttack("the flattest quadratics", frozenset(), run)
