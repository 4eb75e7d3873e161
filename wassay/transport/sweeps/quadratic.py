"""Least-squares polynomials through the values of a sweep, above all quadratics in s."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError


def fit_weights(sweep: Sequence[float], terms: int = 3) -> NDArray[np.float64]:
    """What each value of a sweep counts in each coefficient of the least-squares polynomial.

    Parameters
    ----------
    sweep : sequence of float, distinct
        At least as many as there are terms.
    terms : int
        1, s, s², …: three for a quadratic.

    Returns
    -------
    ndarray, shape (terms, len(sweep))
        Times the values, the coefficients in ascending powers of s.

    Raises
    ------
    TransportError
        When fewer values of s are distinct than there are terms.
    """
    if len(set(sweep)) < terms:
        raise TransportError(
            f"a polynomial of {terms} terms goes through as many distinct values of s or more, "
            f"got {list(sweep)}"
        )
    powers = np.vander(sweep, terms, increasing=True)
    weights: NDArray[np.float64] = np.linalg.pinv(powers, rcond=0.0)
    return weights


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

    Raises
    ------
    TransportError
        When fewer than three values of s are distinct.
    """
    weights: NDArray[np.float64] = fit_weights(sweep).T @ np.array([1.0, s, s * s])
    return weights


def curve_weights(sweep: Sequence[float], s: float) -> NDArray[np.float64]:
    """How much each value of a sweep counts in a curve through all of them.

    The curve is the least-squares quadratic plus what that misses at the values of the sweep,
    linearly between these and constant beyond. Through three values it is their quadratic.

    Parameters
    ----------
    sweep : sequence of float, length ≥ 3
        Ascending.
    s : float

    Returns
    -------
    ndarray, shape (len(sweep),)
        Their sum is one.

    Raises
    ------
    TransportError
        If fewer than three values of s are distinct.
    """
    each = np.eye(len(sweep))
    nearness = np.array([np.interp(s, sweep, one) for one in each])
    fitted = np.vander(sweep, 3, increasing=True) @ fit_weights(sweep)
    weights: NDArray[np.float64] = quadratic_weights(sweep, s) + nearness @ (each - fitted)
    return weights
