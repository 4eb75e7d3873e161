"""The Bures distance of covariances: what W_2 of two normal laws adds to the shift of their means.

All functions take covariances of any rank: those of few points in many dimensions are singular. An
eigenvalue that should be zero comes out as rounding of the largest, and its root would be 1e-8 of
the largest root rather than 1e-16, so that roots are taken of points where there are any.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def root_of_covariance(
    points: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The symmetric root of Σ w_i x_i x_iᵀ, shape (d, d), without the sum itself.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        Centred.
    weights : ndarray, shape (n,)
        Not negative.
    """
    triangle = np.linalg.qr(np.sqrt(weights)[:, None] * points, mode="r")
    _, roots, directions = np.linalg.svd(triangle, full_matrices=False)
    return _compose(roots, directions.T)


def symmetric_root(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The symmetric root of a covariance, shape (d, d), whose rounded eigenvalues count as zero."""
    values, vectors = np.linalg.eigh(covariance)
    rounding = len(values) * np.finfo(np.float64).eps * np.abs(values).max()
    return _compose(np.sqrt(np.where(values > rounding, values, 0.0)), vectors)


def squared_bures_distance(root: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Tr A² + tr B² − 2 tr (A B² A)^½, from the symmetric roots A and B, shape (d, d) each."""
    # tr (A B² A)^½ is the sum of the singular values of A B, without a root of a square.
    cross = float(np.linalg.svd(root @ other, compute_uv=False).sum())
    return max(float(np.square(root).sum() + np.square(other).sum()) - 2 * cross, 0.0)


def _compose(roots: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix that stretches each direction, a column, by its root."""
    whole: NDArray[np.float64] = (directions * roots) @ directions.T
    return whole
