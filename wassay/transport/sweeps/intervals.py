"""Estimate the distance between the raw data of buyer and seller, with certified intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.bures import squared_bures_distance, symmetric_root
from wassay.transport.errors import TransportError
from wassay.transport.sweeps.curve import DistanceCurve


@dataclass(frozen=True)
class Estimate:
    """An estimate of the distance W_p(μ, ν) of the raw data.

    Attributes
    ----------
    t : float
        The buyer's private push.
    value : float
        The paper's estimator Ŵ = W_p(η_μ(t), η_ν(t))/(1 − t) (eq. 7), read off the curve.
    bracket : tuple of float or None
        Certified interval of Ŵ.
    interval : tuple of float or None
        Certified interval of W_p(μ, ν), which contains the bracket; None if there is no bracket, or
        if a spread is unknown.
    mean_gap : float or None
        Lower bound of W_p: ‖mean μ − mean ν‖, less rounding. None if only costs are known.
    tie_interval : tuple of float
        Two estimates tie if their tie intervals overlap. The interval is the bracket or, without
        one, the value plus and minus its numerical error.
    """

    t: float
    value: float
    bracket: tuple[float, float] | None
    interval: tuple[float, float] | None
    mean_gap: float | None
    tie_interval: tuple[float, float]


def estimate(
    curve: DistanceCurve,
    t: float,
    *,
    buyer_spread: float | None = None,
    seller_spread: float | None = None,
) -> Estimate:
    """Estimate the distance of the raw data, from a curve at the buyer's private push.

    Parameters
    ----------
    curve : DistanceCurve
    t : float
        In [0, 1).
    buyer_spread, seller_spread : float, optional
        Projection spreads of the two sides (`BarycentricProjection.spread`; of a coalition,
        `aggregate_spread`). If either is None, there is no `Estimate.interval`.

    Returns
    -------
    Estimate

    Raises
    ------
    TransportError
        If t is outside [0, 1), or a spread is negative or not finite.
    NegativeRadicand
        If the curve's f² is negative at t. The error carries the bracket of f².
    """
    if not 0 <= t < 1:
        raise TransportError(f"expected t in [0, 1), received {t}")
    for spread in (buyer_spread, seller_spread):
        if spread is not None and not 0 <= spread < math.inf:
            raise TransportError(
                f"expected a finite spread that is not negative, received {spread}"
            )
    value = curve.distance(t) / (1 - t)
    squares = curve.bracket(t)
    bracket = (
        None
        if squares is None
        else (math.sqrt(squares[0]) / (1 - t), math.sqrt(squares[1]) / (1 - t))
    )
    shift = curve.least_mean_shift(t)
    mean_gap = None if shift is None else math.sqrt(shift) / (1 - t)
    interval = None
    if bracket is not None and buyer_spread is not None and seller_spread is not None:
        # If the images of all points were the reference's mean, Ŵ would be W = W_p(μ, ν). Moving
        # the images there moves η_μ(t) by at most t σ_μ, and η_ν(t) by at most t σ_ν. By the
        # triangle inequality, |Ŵ − W| ≤ t/(1 − t) (σ_μ + σ_ν).
        blur = t / (1 - t) * (buyer_spread + seller_spread)
        interval = _interval(bracket, blur, mean_gap or 0.0, curve.p)
    low, high = curve.tie_interval(t)
    return Estimate(t, value, bracket, interval, mean_gap, (low / (1 - t), high / (1 - t)))


def aggregate_spread(spreads: Mapping[str, float], seller_weights: Mapping[str, float]) -> float:
    """Compute the spread of a coalition's images, (Σ w_i σ_i²)^½, from its members' spreads.

    Parameters
    ----------
    spreads : mapping of contribution id to float
        Each seller's spread σ_i.
    seller_weights : mapping of contribution id to float
        Each seller's weight w_i; the weights sum to one.

    Returns
    -------
    float

    Raises
    ------
    TransportError
        If the mappings have different keys.
    """
    if spreads.keys() != seller_weights.keys():
        raise TransportError(
            f"expected spreads and weights for the same sellers, received {sorted(spreads)} and "
            f"{sorted(seller_weights)}"
        )
    return math.sqrt(sum(seller_weights[seller] * spreads[seller] ** 2 for seller in spreads))


def one_seller_upper_bound(estimated: float, t: float, image_distance: float) -> float:
    """Compute the bound W_2(μ, ν) ≤ (Ŵ² − r² W_2²(b_μ, b_ν))^½, where r is t/(1 − t).

    It holds for one seller, but not for coalitions, whose members are pushed one by one.

    Parameters
    ----------
    estimated : float
        Ŵ = W_2(η_μ(t), η_ν(t))/(1 − t), solved at s = t and not read off a curve.
    t : float
        In [0, 1).
    image_distance : float
        W_2(b_μ, b_ν), the distance between the measures of barycentric images.

    Returns
    -------
    float

    Raises
    ------
    TransportError
        If t is outside [0, 1).
    """
    if not 0 <= t < 1:
        raise TransportError(f"expected t in [0, 1), received {t}")
    # Expand the squared distance between pushed points x and y, with images b_x and b_y. The mixed
    # term, the inner product of x − y and b_x − b_y, is not negative on average: the images of an
    # optimal plan maximise their inner product with the points.
    r = t / (1 - t)
    return math.sqrt(max(estimated**2 - (r * image_distance) ** 2, 0.0))


def gelbrich_lower_bound(
    mean_gap: float,
    buyer_covariance: NDArray[np.float64],
    seller_covariance: NDArray[np.float64],
) -> float:
    """Compute a lower bound on W_2(μ, ν) from the means and covariances (Gelbrich 1990).

    It is the W_2 of two normal distributions with these means and covariances:

    W_2² ≥ Δ² + tr(Σ_μ + Σ_ν − 2 (Σ_μ^½ Σ_ν Σ_μ^½)^½).

    Parameters
    ----------
    mean_gap : float
        Δ = ‖mean μ − mean ν‖.
    buyer_covariance, seller_covariance : ndarray, shape (d, d)
        Σ_μ = Σ a_i (x_i − x̄)(x_i − x̄)ᵀ, and Σ_ν.

    Returns
    -------
    float

    Raises
    ------
    TransportError
        If the covariances are not two square matrices of one size.
    """
    shapes = np.shape(buyer_covariance), np.shape(seller_covariance)
    if shapes[0] != shapes[1] or len(shapes[0]) != 2 or shapes[0][0] != shapes[0][1]:
        raise TransportError(f"expected two covariances of shape (d, d), received {shapes}")
    roots = symmetric_root(buyer_covariance), symmetric_root(seller_covariance)
    return math.sqrt(mean_gap**2 + squared_bures_distance(*roots))


def _interval(
    bracket: tuple[float, float], blur: float, mean_gap: float, p: int
) -> tuple[float, float]:
    lowest, highest = bracket
    if p == 1:
        return min(max(lowest - blur, mean_gap, 0.0), lowest), highest + blur
    # W² is the squared distance of the means plus the W² of both measures moved to the mean 0. The
    # blur concerns only the second term.
    centred = math.sqrt(max(lowest**2 - mean_gap**2, 0.0))
    # If `blur` is zero, the lower end is `lowest`: rounding must not raise it.
    return min(math.hypot(mean_gap, max(centred - blur, 0.0)), lowest), highest + blur
