"""Distances alone, for buyer measures of the attacker's choice, are the points as well."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure


def reconstruct_from_distances(
    ask: Callable[[Measure], float], size: int, dimension: int, direction: NDArray[np.float64]
) -> Reconstruction:
    """Reconstruct n equally weighted points with n(d + 1) + 1 questions, each answered by W_2².

    A buyer measure with mass j/n at an atom u and the rest at the origin takes the j points
    farthest along u to u, so W_2² grows from j − 1 to j by (‖u‖² − 2⟨y, u⟩)/n for the j-th of
    them: n questions give all ⟨y, u⟩ in order. A direction u + ε e_c with ε small keeps the
    order, and the difference of the two is ε times the points' coordinate c.

    Parameters
    ----------
    ask : callable
        W_2² of a buyer measure to the attacked one.
    size, dimension : int
        n and d.
    direction : ndarray, shape (d,)
        u, along which no two of the points may lie level; any random one will do.

    Returns
    -------
    Reconstruction
        In the order along u. The residual is the relative error of the mean squared norm, which
        was asked for and not used.

    Raises
    ------
    TransportError
        When two points lie level along u.
    """
    mean_square = ask(Measure(np.zeros((1, dimension))))

    def levels(atom: NDArray[np.float64]) -> NDArray[np.float64]:
        """⟨y, atom⟩ of all points, largest first."""
        costs = [mean_square]
        for taken in range(1, size + 1):
            share = taken / size
            costs.append(ask(Measure([atom, np.zeros(dimension)], [share, 1 - share])))
        ordered: NDArray[np.float64] = (atom @ atom - size * np.diff(costs)) / 2
        return ordered

    along = levels(direction)
    gap = float(-np.diff(along).max()) if size > 1 else 1.0
    farthest = math.sqrt(size * mean_square)
    if gap <= 1e-9 * max(farthest, 1.0):
        raise TransportError(
            f"two points lie level along this direction, within {gap:g}: choose another"
        )
    step = gap / (4 * farthest) if farthest else 1.0
    coordinates = [(levels(direction + step * axis) - along) / step for axis in np.eye(dimension)]
    points = np.stack(coordinates, axis=1)
    found = float(np.square(points).sum() / size)
    return Reconstruction(
        points=points,
        method="distances to chosen pairs of atoms",
        residual=abs(found - mean_square) / mean_square if mean_square else 0.0,
        rank=dimension,
        rest=np.zeros(size),
        solves=0,
        queries=size * (dimension + 1) + 1,
    )
