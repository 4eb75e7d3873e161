"""The attack that reads columns related by a quadratic, such as two prices and a discount."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import flat_directions


def run(cloud: Cloud) -> Components:
    """Estimate columns that determine each other, by quadratic functions of the points.

    A quadratic function that is nearly constant on the points shows that columns determine each
    other. The three directions in which it changes most are near these columns. Return the points'
    coordinates along these directions, for at most ten functions.
    """
    return Components(flat_directions(cloud.points))


QUADRATICS = ColumnAttack("the flattest quadratics", frozenset(), run)
