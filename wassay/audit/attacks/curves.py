"""The attack that reads columns on a curve, such as the sine and the cosine of an hour."""

import numpy as np

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import thin_planes

_TURNS = np.linspace(0, np.pi, 36, endpoint=False)
"""Directions in a plane to try. A receiver who knows what the columns mean finds the right one."""

_WHY = (
    "with another one it spans a plane in which the rows lie on a curve, which chance does not make"
)


def run(cloud: Cloud) -> Components:
    """Return the rows' coordinates in each plane in which the rows lie on a curve.

    Each plane gives 36 components: the coordinates along 36 directions.
    """
    planes = thin_planes(cloud.points, cloud.least_gaussian, cloud.columns)
    angles = np.array([np.cos(_TURNS), np.sin(_TURNS)])
    values = [np.empty((len(cloud.points), 0)), *(plane @ angles for plane in planes)]
    certain = tuple(CertainCombination(plane[:, 0], _WHY, exact=False) for plane in planes)
    return Components(np.hstack(values), certain=certain)


CURVES = ColumnAttack("the thinnest planes", frozenset(), run)
