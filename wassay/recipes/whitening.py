"""Whiten coordinates, so that the cloud of points has the same spread in every direction."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_FLOOR = 1e-2
"""Eigenvalues below this share of their mean are raised to it."""

CONSTANT = 1e-9
"""The largest standard deviation of a coordinate that is constant but for rounding errors."""

_BLOCK_ELEMENTS = 2**16


def whitening_matrix(coordinates: Array) -> Array:
    """Return the matrix W for which `coordinates @ W` is nearly white, shape (d, d).

    Of all whitenings, this one changes the coordinates least, so that each coordinate still belongs
    to its field.

    Parameters
    ----------
    coordinates : ndarray, shape (n, d)
        Columns must have mean zero.
    """
    deviations = coordinates.std(axis=0)
    # Coordinates that are constant among the buyer's rows are not scaled to variance 1: a seller's
    # row with another value would then lie very far away.
    constant = np.flatnonzero(deviations <= CONSTANT)
    deviations[constant] = 1.0
    standardised = coordinates / deviations
    standardised[:, constant] = 0.0
    covariance = standardised.T @ standardised / len(standardised)
    covariance[constant, constant] = 1.0
    eigenvalues, vectors = np.linalg.eigh(covariance)
    # Small eigenvalues are due to chance, so raise them to a floor. Do not shrink larger ones
    # towards their mean: the whitened points would keep principal axes, by which a receiver of
    # rotated points could find columns.
    floor = max(_FLOOR, shrinkage(standardised)) * eigenvalues.mean()
    floored = np.maximum(eigenvalues, floor)
    # The symmetric inverse root of the covariance changes coordinates least.
    return np.asarray((vectors / np.sqrt(floored)) @ vectors.T / deviations[:, None])


def shrinkage(centred: Array) -> float:
    """Return the share by which Ledoit and Wolf shrink a covariance (J. Multivariate Anal., 2004).

    Parameters
    ----------
    centred : ndarray, shape (n, d)
        Rows whose mean is zero.
    """
    # The δ that minimises the expected squared error of (1 − δ) S + δ μ I, for the sample
    # covariance S and the mean μ of its diagonal.
    rows, columns = centred.shape
    covariance = centred.T @ centred / rows
    mean = float(np.trace(covariance)) / columns
    squares = centred * centred
    dispersion = float(((squares.T @ squares) / rows - covariance**2).sum()) / rows
    distance = float((covariance**2).sum()) - columns * mean**2
    return min(dispersion / distance, 1.0) if distance > 0 else 1.0


def ordered_product(left: Array, right: Array) -> Array:
    """Return left @ right, summed in one order, so that every machine rounds alike."""
    # BLAS sums in an order that depends on the processor. Here each product and each sum is a numpy
    # operation of its own, and IEEE 754 defines every bit of its result.
    found = np.zeros((len(left), right.shape[1]))
    size = max(1, _BLOCK_ELEMENTS // max(1, right.shape[1]))
    for start in range(0, len(left), size):
        block, into = left[start : start + size], found[start : start + size]
        for column in range(right.shape[0]):
            into += block[:, column, None] * right[column]
    return found
