"""Read columns that depend on each other otherwise than normal ones, by quadratics."""

from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.transport.inversion import flat_directions


def run(cloud: Cloud) -> Components:
    """Return the directions along which the quadratics that vary least change most."""
    return Components(flat_directions(cloud.points))


QUADRATICS = ColumnAttack("the flattest quadratics", frozenset(), run)
