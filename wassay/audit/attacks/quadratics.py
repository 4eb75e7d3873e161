"""The attack that reads columns related by a quadratic, such as two prices and a discount."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import flat_directions


def run(cloud: Cloud) -> Components:
    """Estimate columns that are related by a quadratic function.

    Each of at most ten functions gives the points' coordinates along three directions.
    """
    # The function is nearly constant on the points. The three directions in which it changes most
    # are near the columns.
    return Components(flat_directions(cloud.points))


QUADRATICS = ColumnAttack("the flattest quadratics", frozenset(), run)
