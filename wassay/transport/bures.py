"""The Bures distance of covariances: what W_2 of two normal laws adds to the shift of their means.

Both functions take covariances of any rank: those of few points in many dimensions are singular.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def symmetric_root(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The symmetric square root of a covariance, shape (d, d), of any rank."""
    values, vectors = np.linalg.eigh(covariance)
    root: NDArray[np.float64] = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return root


def squared_bures_distance(root: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Tr A² + tr B² − 2 tr (A B² A)^½, from the symmetric roots A and B, shape (d, d) each."""
    # tr (A B² A)^½ is the sum of the singular values of A B, without a root of a square.
    cross = float(np.linalg.svd(root @ other, compute_uv=False).sum())
    return max(float(np.square(root).sum() + np.square(other).sum()) - 2 * cross, 0.0)
