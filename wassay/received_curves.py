"""Evaluate distance curves received from the service, for tables and plots."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Literal

import numpy as np

from wassay import models, transport


@dataclass(frozen=True)
class Outline:
    """A curve sampled for plotting.

    Attributes
    ----------
    s : list of float
        Evenly spaced values over [0, 1] and the values of the sweep, ascending.
    distance : list of float
        The fitted distance at each s; NaN where the fitted squared distance is negative.
    lower, upper : list of float or None
        The ends of the certified bracket at each s; None if the bracket is unknown at some s.
    """

    s: list[float]
    distance: list[float]
    lower: list[float] | None
    upper: list[float] | None


def outline(curve: transport.DistanceCurve, samples: int) -> Outline:
    """Sample a curve at evenly spaced values of s, and at the values of its sweep.

    Parameters
    ----------
    curve : wassay.transport.DistanceCurve
    samples : int
        The number of evenly spaced values, at least 2.

    Returns
    -------
    Outline
    """
    values = sorted({*(step / (samples - 1) for step in range(samples)), *curve.sweep})
    brackets = [bracket for s in values if (bracket := curve.bracket(s)) is not None]
    lower = upper = None
    if len(brackets) == len(values):
        lower = [sqrt(low) for low, _ in brackets]
        upper = [sqrt(high) for _, high in brackets]
    return Outline(values, [_distance(curve, s) for s in values], lower, upper)


def _distance(curve: transport.DistanceCurve, s: float) -> float:
    try:
        return curve.distance(s)
    except transport.NegativeRadicand:
        return nan


@dataclass(frozen=True)
class NoisedDistance:
    """A distance estimated from costs to which the service added noise.

    Attributes
    ----------
    value : float
        The noised distance; 0 if noise made its square negative.
    interval : tuple of float
        The ends of an interval that contains the distance from costs without noise, with the
        probability that the result states as its confidence.
    """

    value: float
    interval: tuple[float, float]


def noised_distance(
    costs: Sequence[models.NoisedCost], s: float, confidence: float
) -> NoisedDistance:
    """Estimate a seller's distance W_2 at s from costs with noise.

    If s is not in the sweep, the least-squares quadratic through the released costs is used.

    Parameters
    ----------
    costs : sequence of wassay.models.NoisedCost
        The released cost at each value of the sweep.
    s : float
        The seller's push at which to estimate the distance.
    confidence : float
        The result's confidence.

    Returns
    -------
    NoisedDistance
    """
    released = next((each for each in costs if each.s == s), None)
    if released is not None:
        square, (low, high) = released.cost, released.interval
    else:
        # If the reference has one point and no point was clipped to the ball, W_2² is quadratic in
        # s.
        weights = transport.quadratic_weights([each.s for each in costs], s)
        square = float(weights @ np.array([each.cost for each in costs]))
        scales = weights * np.array([each.scale for each in costs])
        error = transport.laplace_bound(scales, confidence)
        low, high = square - error, square + error
    return NoisedDistance(_root(square), (_root(low), _root(high)))


def _root(square: float) -> float:
    return sqrt(max(square, 0.0))


def distance_curve(curve: models.Curve, order: Literal[1, 2]) -> transport.DistanceCurve:
    """Convert a curve from its wire format.

    Parameters
    ----------
    curve : wassay.models.Curve
    order : {1, 2}
        The p of W_p.

    Returns
    -------
    wassay.transport.DistanceCurve
    """
    return transport.DistanceCurve(
        p=order,
        points=tuple(
            transport.SweepPoint(
                s=point.s,
                cost=point.cost,
                certificate=None
                if point.certificate is None
                else transport.Certificate(**point.certificate.model_dump(exclude={"gap"})),
                line=None
                if point.line is None
                else transport.Line(point.line.alpha, point.line.beta),
                mean_shift=point.mean_shift,
            )
            for point in curve.points
        ),
        quadratic_coefficient=curve.quadratic_coefficient,
        displacement=curve.displacement,
        rounding=curve.rounding,
    )
