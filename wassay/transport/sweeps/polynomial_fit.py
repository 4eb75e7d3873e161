"""Least-squares polynomials over a sweep, as weights of its values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError


def fit_weights(sweep: Sequence[float], terms: int = 3) -> NDArray[np.float64]:
    """Return the matrix that turns values on a sweep into coefficients of the least-squares fit.

    Parameters
    ----------
    sweep : sequence of float
        At least as many distinct values as terms.
    terms : int
        The number of terms 1, s, s², …: three for a quadratic.

    Returns
    -------
    ndarray, shape (terms, len(sweep))
        Not writable. Multiplied by the values, it gives the coefficients in ascending powers of s.

    Raises
    ------
    TransportError
        If there are fewer distinct s than terms.
    """
    if len(set(sweep)) < terms:
        raise TransportError(
            f"expected at least {terms} distinct values of s, received {list(sweep)}"
        )
    return _pseudo_inverse(tuple(map(float, sweep)), terms)


@lru_cache(maxsize=64)
def _pseudo_inverse(sweep: tuple[float, ...], terms: int) -> NDArray[np.float64]:
    # Cached, because a curve needs the pseudo-inverse of its sweep again for every s.
    weights: NDArray[np.float64] = np.linalg.pinv(
        np.vander(sweep, terms, increasing=True), rcond=0.0
    )
    weights.flags.writeable = False
    return weights


def quadratic_weights(sweep: Sequence[float], s: float) -> NDArray[np.float64]:
    """Return weights: the weighted sum of a sweep's values is their least-squares quadratic at s.

    Parameters
    ----------
    sweep : sequence of float
        At least three distinct values.
    s : float

    Returns
    -------
    ndarray, shape (len(sweep),)
        Summing to one.

    Raises
    ------
    TransportError
        If there are fewer than three distinct s.
    """
    weights: NDArray[np.float64] = fit_weights(sweep).T @ np.array([1.0, s, s * s])
    return weights


def curve_weights(sweep: Sequence[float], s: float) -> NDArray[np.float64]:
    """Return weights: the weighted sum of a sweep's values is their interpolation at s.

    The interpolation is the least-squares quadratic plus its interpolated residuals.

    Parameters
    ----------
    sweep : sequence of float
        Ascending, at least three distinct values.
    s : float

    Returns
    -------
    ndarray, shape (len(sweep),)
        Summing to one.

    Raises
    ------
    TransportError
        If there are fewer than three distinct s.
    """
    # Residuals are interpolated linearly within the sweep, and constant beyond it.
    each = np.eye(len(sweep))
    nearness = np.array([np.interp(s, sweep, one) for one in each])
    fitted = np.vander(sweep, 3, increasing=True) @ fit_weights(sweep)
    weights: NDArray[np.float64] = quadratic_weights(sweep, s) + nearness @ (each - fitted)
    return weights
