"""The attack that reads three columns on a surface, such as a product and its factors."""

import numpy as np

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import thin_surfaces

_TURNS = 200
"""Directions to try: a receiver who knows what the columns mean finds the right one."""

_WHY = (
    "with two others it spans a space in which the rows lie on a surface, which chance does not "
    "make"
)


def run(cloud: Cloud) -> Components:
    """Return the rows' coordinates in each space in which the rows lie on a surface.

    Each space has three dimensions, and gives the coordinates along 200 directions as components.
    """
    spaces = thin_surfaces(cloud.points)
    directions = _half_sphere(_TURNS)
    values = [np.empty((len(cloud.points), 0)), *(space @ directions for space in spaces)]
    certain = tuple(CertainCombination(space[:, 0], _WHY, exact=False) for space in spaces)
    return Components(np.hstack(values), certain=certain)


def _half_sphere(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return unit vectors, shape (3, count), that cover half of a sphere evenly."""
    heights = (np.arange(count) + 0.5) / count
    turns = np.pi * (1 + np.sqrt(5)) * np.arange(count)
    widths = np.sqrt(1 - np.square(heights))
    return np.array([widths * np.cos(turns), widths * np.sin(turns), heights])


SURFACES = ColumnAttack("the thinnest surfaces", frozenset(), run)
