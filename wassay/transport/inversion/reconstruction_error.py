"""Compare reconstructed records with the true ones: relative error and re-identification."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import MAX_BLOCK_ENTRIES
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure

_TIED = 1e-9
"""Distances that differ by less than this, relative to the records' extent, are ties."""


def relative_error(records: ArrayLike, reconstructed: ArrayLike) -> float:
    """Compute the error of reconstructed records, in the best matching with the true ones.

    An error of 1 is no better than knowing only the mean of the records.

    Parameters
    ----------
    records, reconstructed : array_like, shape (n, d)
        Rows in any order.

    Returns
    -------
    float
        The root of the sum of squared errors, relative to that of guessing the mean for every
        record. If all records are equal, relative to their norm or, if that is 0, to 1.

    Raises
    ------
    TransportError
        If the shapes differ.
    SolverMissing
        If the matching has to be solved and the extra `solver` is not installed.
    """
    truth, estimate = _same_shape(records, reconstructed)
    size = np.linalg.norm(truth - truth.mean(axis=0)) or np.linalg.norm(truth) or 1.0
    own = np.linalg.norm(truth - estimate, axis=1)
    if np.all(own <= _distances_to_nearest(truth, estimate)):
        # Every record's own reconstruction is the nearest, so no other matching is better.
        return float(np.linalg.norm(own) / size)
    from wassay.transport.solvers.solve import solve

    mu, nu = Measure(truth), Measure(estimate)
    solution = solve(PointCost(mu, nu), mu.weights, nu.weights)
    misses = truth[solution.rows] - estimate[solution.columns]
    square = solution.mass @ np.square(misses).sum(axis=1)
    return float(np.sqrt(square * len(truth)) / size)


def reidentified(records: ArrayLike, reconstructed: ArrayLike) -> float:
    """Return the share of records whose nearest reconstruction is their own.

    Parameters
    ----------
    records, reconstructed : array_like, shape (n, d)
        Row i of `reconstructed` is the reconstruction of row i of `records`.

    Returns
    -------
    float
        In [0, 1]; ties count as re-identified.

    Raises
    ------
    TransportError
        If the shapes differ.
    """
    truth, estimate = _same_shape(records, reconstructed)
    own = np.linalg.norm(truth - estimate, axis=1)
    extent = float(np.linalg.norm(truth - truth.mean(axis=0), axis=1).max())
    return float(np.mean(own <= _distances_to_nearest(truth, estimate) + _TIED * extent))


def _distances_to_nearest(
    records: NDArray[np.float64], estimate: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the distance of each record to the nearest reconstruction."""
    cost = PointCost(Measure(records), Measure(estimate), 1)
    step = max(1, MAX_BLOCK_ENTRIES // len(estimate))
    starts = range(0, len(records), step)
    blocks = [cost.block(start, min(start + step, len(records))).min(axis=1) for start in starts]
    return np.concatenate(blocks)


def _same_shape(
    records: ArrayLike, reconstructed: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    truth, estimate = Measure(records).points, Measure(reconstructed).points
    if truth.shape != estimate.shape:
        raise TransportError(
            f"expected a reconstruction of shape {truth.shape}, as the records have, received "
            f"{estimate.shape}"
        )
    return truth, estimate
