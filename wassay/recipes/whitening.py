"""Make a cloud look the same from every side: whitening."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_FLOOR = 1e-2
"""The smallest eigenvalue, as a share of the mean: weaker directions are amplified no further."""

CONSTANT = 1e-9
"""The largest standard deviation that rounding errors make of a constant coordinate."""

_BLOCK_ELEMENTS = 2**16


def whitening_matrix(coordinates: Array) -> Array:
    """Return the matrix that whitens centred coordinates, as rows multiplied from the left.

    Coordinates are standardised, then multiplied by the symmetric inverse root of their covariance,
    which moves them the least, so that each still belongs to its field. Eigenvalues are raised to
    the share of the mean that Ledoit and Wolf would shrink towards, since smaller ones are chance.
    They are not shrunk themselves: that would keep their order, and with it the principal axes,
    by which a receiver of rotated points finds columns.

    Parameters
    ----------
    coordinates : ndarray, shape (n, d)
    """
    deviations = coordinates.std(axis=0)
    # Constant coordinates stay as they are: amplifying them would amplify a single odd row.
    constant = np.flatnonzero(deviations <= CONSTANT)
    deviations[constant] = 1.0
    standardised = coordinates / deviations
    standardised[:, constant] = 0.0
    covariance = standardised.T @ standardised / len(standardised)
    covariance[constant, constant] = 1.0
    eigenvalues, vectors = np.linalg.eigh(covariance)
    floor = max(_FLOOR, shrinkage(standardised)) * eigenvalues.mean()
    floored = np.maximum(eigenvalues, floor)
    return np.asarray((vectors / np.sqrt(floored)) @ vectors.T / deviations[:, None])


def shrinkage(centred: Array) -> float:
    """Return the share by which Ledoit and Wolf shrink a covariance (J. Multivariate Anal., 2004).

    It minimises the expected squared error of (1 − δ) S + δ μ I, with μ the mean of the diagonal.

    Parameters
    ----------
    centred : ndarray, shape (n, d)
        Rows of mean zero.
    """
    rows, columns = centred.shape
    covariance = centred.T @ centred / rows
    mean = float(np.trace(covariance)) / columns
    squares = centred * centred
    dispersion = float(((squares.T @ squares) / rows - covariance**2).sum()) / rows
    distance = float((covariance**2).sum()) - columns * mean**2
    return min(dispersion / distance, 1.0) if distance > 0 else 1.0


def ordered_product(left: Array, right: Array) -> Array:
    """Return left @ right, adding in the order of columns, so that every machine rounds alike.

    BLAS adds in an order that depends on the processor. Here each product and each sum is a pass of
    its own over an array, which IEEE 754 fixes to the bit.
    """
    found = np.zeros((len(left), right.shape[1]))
    size = max(1, _BLOCK_ELEMENTS // max(1, right.shape[1]))
    for start in range(0, len(left), size):
        block, into = left[start : start + size], found[start : start + size]
        for column in range(right.shape[0]):
            into += block[:, column, None] * right[column]
    return found
