"""The Bures distance between covariances: W_2 of normal distributions with equal means."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def root_of_covariance(
    points: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Compute the symmetric root of the covariance Σ_i w_i x_i x_iᵀ from its points.

    For few points in many dimensions, it is more exact than `symmetric_root`.

    Parameters
    ----------
    points : ndarray, shape (n, d)
        Centred points x_i.
    weights : ndarray, shape (n,)
        Non-negative weights w_i.

    Returns
    -------
    ndarray, shape (d, d)
    """
    triangle = np.linalg.qr(np.sqrt(weights)[:, None] * points, mode="r")
    _, roots, directions = np.linalg.svd(triangle, full_matrices=False)
    return _compose(roots, directions.T)


def symmetric_root(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the symmetric root of a covariance; eigenvalues at rounding level count as zero.

    Parameters
    ----------
    covariance : ndarray, shape (d, d)

    Returns
    -------
    ndarray, shape (d, d)
    """
    values, vectors = np.linalg.eigh(covariance)
    # The root of a rounding error, 1e-16, would be 1e-8: no longer negligible.
    rounding = len(values) * np.finfo(np.float64).eps * np.abs(values).max()
    return _compose(np.sqrt(np.where(values > rounding, values, 0.0)), vectors)


def squared_bures_distance(root: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Compute tr A² + tr B² − 2 tr (A B² A)^½ from symmetric roots A and B.

    Parameters
    ----------
    root, other : ndarray, shape (d, d)

    Returns
    -------
    float
    """
    # tr (A B² A)^½ is the sum of the singular values of A B; this avoids the root of a square.
    cross = float(np.linalg.svd(root @ other, compute_uv=False).sum())
    return max(float(np.square(root).sum() + np.square(other).sum()) - 2 * cross, 0.0)


def _compose(roots: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Σ_k roots_k u_k u_kᵀ over the columns u_k of `directions`."""
    whole: NDArray[np.float64] = (directions * roots) @ directions.T
    return whole
