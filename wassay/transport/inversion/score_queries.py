"""Reconstruct a seller's points from their scores, by querying chosen buyer measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.inversion.trilateration import trilaterate
from wassay.transport.measure import Measure

ScoreResponse = tuple[float, NDArray[np.float64]]


def reconstruct_from_scores(
    query: Callable[[Measure], ScoreResponse], weights: ArrayLike, dimension: int
) -> Reconstruction:
    """Reconstruct a seller's points in d dimensions with d + 1 score queries.

    Parameters
    ----------
    query : callable
        Takes a buyer measure; returns W_2² and the scores of the seller's points, shape (n,).
    weights : array_like, shape (n,)
        Weights of the seller's points.
    dimension : int
        Dimension d of the points.

    Returns
    -------
    Reconstruction
        The exact points. The residual is that of `trilaterate`.
    """
    masses = np.asarray(weights, dtype=np.float64)
    # Against a single atom q, a point's potential is its squared distance to q. Its score is this
    # minus the mean of the other points' squared distances, and W_2² is the weighted mean of all.
    # Together they give the squared distances to q. Those to d + 1 atoms determine the points.
    atoms = np.concatenate([np.zeros((1, dimension)), np.eye(dimension)])
    columns = []
    for atom in atoms:
        cost, scores = query(Measure(atom[None, :]))
        from_mean = scores * (len(masses) - 1) / len(masses)
        columns.append(cost + from_mean - masses @ from_mean)
    reconstruction = trilaterate(np.stack(columns, axis=1), atoms)
    return replace(reconstruction, method="score queries with single atoms", queries=len(atoms))
