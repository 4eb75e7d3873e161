"""Confidence bounds for sums of Laplace noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from wassay.transport.errors import TransportError

_HIGHEST = 0.999
_LARGEST_STEP, _STEPS = 0.02, 20_000
"""Largest step, and number of steps, of the quadrature; its truncation error is below 1e-5."""

_PRECISION = 1e-9


def laplace_bound(scales: ArrayLike, confidence: float = 0.95) -> float:
    """Bound the absolute value of a sum of independent Laplace variables.

    Parameters
    ----------
    scales : array_like, shape (n,)
        Scale b_j of each variable; signs are ignored.
    confidence : float
        In (0, 0.999].

    Returns
    -------
    float
        With the probability `confidence`, the sum is at most this in absolute value. In the units
        of the scales.

    Raises
    ------
    TransportError
        If the confidence is outside (0, 0.999], or a scale is not finite.
    """
    if not 0 < confidence <= _HIGHEST:
        raise TransportError(f"expected a confidence in (0, {_HIGHEST}], received {confidence}")
    sizes = np.abs(np.asarray(scales, dtype=np.float64))
    if not np.isfinite(sizes).all():
        raise TransportError(f"expected finite scales, received {sizes.tolist()}")
    largest = float(sizes.max(initial=0.0))
    if largest == 0:
        return 0.0
    sizes = sizes[sizes > 0] / largest
    if len(sizes) == 1:
        return float(-largest * np.log1p(-confidence))
    # Chebyshev's inequality: the bound is at most this.
    farthest = float(np.sqrt(2 * np.square(sizes).sum() / (1 - confidence)))
    # The integrand sin(t · bound) is periodic in `bound`. With wider steps of t, a large bound
    # would give the same sum as a small one.
    # The characteristic function Π_j 1/(1 + b_j² t²) is inverted (Gil-Pelaez 1951).
    step = min(_LARGEST_STEP, np.pi / farthest)
    at = (np.arange(_STEPS) + 0.5) * step
    density = np.exp(-np.log1p(np.square(np.outer(sizes, at))).sum(axis=0)) / at

    def excess(bound: float) -> float:
        return float(2 / np.pi * step * (np.sin(at * bound) @ density)) - confidence

    low, high = 0.0, farthest
    while high - low > _PRECISION * farthest:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return largest * high
