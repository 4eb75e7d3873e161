"""The attack that reads columns related by a quadratic, such as two prices and a discount."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import flat_directions


def run(cloud: Cloud) -> Components:
    """Estimate columns that are related by a quadratic function.

    Such a function has nearly the same value at all points. The three directions in which it
    changes most are near the columns. Return the points' coordinates along these three directions,
    for each of at most ten functions.
    """
    return Components(flat_directions(cloud.points))


QUADRATICS = ColumnAttack("the flattest quadratics", frozenset(), run)
