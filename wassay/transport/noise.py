"""How far sums of Laplace noise stray."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from wassay.transport.errors import TransportError

_HIGHEST = 0.999
_LARGEST_STEP, _STEPS = 0.02, 20_000
"""Of the integral over the characteristic function; what is left out is below 1e-5."""

_PRECISION = 1e-9


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
        When the confidence is none, or too high to be computed; or a scale is not finite.
    """
    if not 0 < confidence <= _HIGHEST:
        raise TransportError(f"expected a confidence in (0, {_HIGHEST}], got {confidence}")
    sizes = np.abs(np.asarray(scales, dtype=np.float64))
    if not np.isfinite(sizes).all():
        raise TransportError(f"expected finite scales, got {sizes.tolist()}")
    largest = float(sizes.max(initial=0.0))
    if largest == 0:
        return 0.0
    sizes = sizes[sizes > 0] / largest
    if len(sizes) == 1:
        return float(-largest * np.log1p(-confidence))
    farthest = float(np.sqrt(2 * np.square(sizes).sum() / (1 - confidence)))  # Chebyshev's
    # Wider steps would take a far bound for a near one: sin(at · bound) repeats itself in bound.
    step = min(_LARGEST_STEP, np.pi / farthest)
    at = (np.arange(_STEPS) + 0.5) * step
    density = np.exp(-np.log1p(np.square(np.outer(sizes, at))).sum(axis=0)) / at

    def lacking(bound: float) -> float:
        return float(2 / np.pi * step * (np.sin(at * bound) @ density)) - confidence

    low, high = 0.0, farthest
    while high - low > _PRECISION * farthest:
        middle = (low + high) / 2
        low, high = (middle, high) if lacking(middle) < 0 else (low, middle)
    return largest * high
