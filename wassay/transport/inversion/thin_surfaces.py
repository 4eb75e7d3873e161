"""Find three columns in which rows lie on a surface, such as the coordinates of unit vectors."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.flat_quadratics import INNER, flattest_quadratics
from wassay.transport.inversion.principal_components import axes_of
from wassay.transport.inversion.thin_spaces import refined

Matrix = NDArray[np.float64]

_FEWEST_ROWS, _ROWS = 150, 800
"""Fewest rows, and most whose neighbours are sought."""

_RELATIONS = 3
_FEWEST_NEIGHBOURS, _SHIFTS = 6, (1, 0.5)
"""The arguments `fewest_neighbours` and `shifts` of `refined`."""

# Of 190 clouds of 100 to 2,000 normal, uniform, exponential and long-tailed points in 3 to 20
# dimensions, none had three directions as thin; the least was 0.734 − 0.6/√n.
_THIN, _THIN_BY_CHANCE = 0.72, 0.6
"""The n rows searched are on a surface if their thinness (see `refined`) is below 0.72 − 0.6/√n."""

# Of 280 clouds of 150 to 1,000 normal, uniform, exponential, log-normal and long-tailed points in 3
# to 12 dimensions, none had a quadratic with a share below 0.33.
_STEADY = 0.25
"""A quadratic counts as nearly constant if its `FlatQuadratic.share` is below this."""

_SAME, _ROUNDING = 0.9, 1e-7


def thin_surfaces(points: ArrayLike) -> list[Matrix]:
    """Find triples of directions in which the rows lie near a surface.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.

    Returns
    -------
    list of ndarray, shape (n, 3)
        The rows' coordinates in at most three triples, the thinnest surface first; they may be
        rotated. Empty if chance explains all surfaces, or if the points cannot be searched (see
        Notes).

    Notes
    -----
    Points are searched if they span at least three dimensions and have enough rows: 150 distinct
    ones, and four for each term of a quadratic. The coordinates have mean 0 and covariance 1.
    """
    _, coordinates, variances = axes_of(points)
    if coordinates.shape[1] < 3:
        return []
    white = coordinates / np.sqrt(variances)
    distinct = np.unique(np.round(white / _ROUNDING), axis=0, return_index=True)[1]
    # Equal rows would be at distance 0 in every space, so only one of them is taken.
    chosen = np.random.default_rng(0).permutation(distinct)[:_ROWS]
    if len(chosen) < _FEWEST_ROWS:
        return []
    sample = white[chosen]
    least = _THIN - _THIN_BY_CHANCE / math.sqrt(len(sample))
    found = []
    # Each search starts where a quadratic in all coordinates varies little (see `_spaces`).
    for start, is_steady in _spaces(white):
        axes, thinness = refined(sample, start, _FEWEST_NEIGHBOURS, _SHIFTS)
        if thinness < least:
            found.append((thinness, axes))
        elif is_steady:
            found.append((math.inf, start))
    found.sort(key=lambda each: each[0])
    kept: list[Matrix] = []
    for _, axes in found:
        if not any(_share_two_directions(axes, other) for other in kept):
            kept.append(axes)
    return [np.asarray(white @ axes) for axes in kept]


def _spaces(white: Matrix) -> list[tuple[Matrix, bool]]:
    """Find quadratics that vary little among the whitened rows, to start searches from.

    For each, return the three directions in which it changes most, and whether it is nearly
    constant.
    """
    return [
        (np.linalg.qr(each.steepest)[0], each.share < _STEADY)
        for each in flattest_quadratics(white, _RELATIONS, INNER)
    ]


def _share_two_directions(first: Matrix, second: Matrix) -> bool:
    """Return whether the spaces of two sets of axes nearly have two directions in common."""
    cosines = np.linalg.svd(first.T @ second, compute_uv=False)
    return bool(cosines[1] > _SAME)
