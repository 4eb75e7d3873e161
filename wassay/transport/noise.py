"""How far sums of Laplace noise stray."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from wassay.transport.errors import TransportError

_HIGHEST = 0.999
_STEP, _STEPS = 0.02, 20_000
"""Of the integral over the characteristic function; what is left out is below 1e-5."""


def laplace_bound(scales: ArrayLike, confidence: float = 0.95) -> float:
    """What a sum of independent Laplace variables stays within, with some confidence.

    Parameters
    ----------
    scales : array_like, shape (n,)
        Of each variable; the sign of one that is subtracted does not matter.
    confidence : float
        In (0, 0.999].

    Returns
    -------
    float
        x with P(|Σ L_j| ≤ x) = confidence: of one variable in closed form, of more by inverting the
        characteristic function Π 1/(1 + b_j² t²) (Gil-Pelaez).

    Raises
    ------
    TransportError
        When the confidence is none, or too high to be computed.
    """
    if not 0 < confidence <= _HIGHEST:
        raise TransportError(f"expected a confidence in (0, {_HIGHEST}], got {confidence}")
    sizes = np.abs(np.asarray(scales, dtype=np.float64))
    largest = float(sizes.max(initial=0.0))
    if largest == 0:
        return 0.0
    sizes = sizes[sizes > 0] / largest
    if len(sizes) == 1:
        return float(-largest * np.log1p(-confidence))
    at = (np.arange(_STEPS) + 0.5) * _STEP
    density = np.exp(-np.log1p(np.square(np.outer(sizes, at))).sum(axis=0)) / at

    def lacking(bound: float) -> float:
        return float(2 / np.pi * _STEP * (np.sin(at * bound) @ density)) - confidence

    farthest = float(np.sqrt(2 * np.square(sizes).sum() / (1 - confidence)))  # Chebyshev's
    return largest * float(brentq(lacking, 0.0, farthest))


def quadratic_weights(sweep: Sequence[float], s: float) -> NDArray[np.float64]:
    """How much each value of a sweep counts in the least-squares quadratic's value at another s.

    Parameters
    ----------
    sweep : sequence of float, length ≥ 3
    s : float

    Returns
    -------
    ndarray, shape (len(sweep),)
        Their sum is one.
    """
    powers = np.vander(np.asarray(sweep, dtype=np.float64), 3, increasing=True)
    weights: NDArray[np.float64] = np.linalg.pinv(powers).T @ np.array([1.0, s, s * s])
    return weights
