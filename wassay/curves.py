"""Distance curves from the wire: evaluated for tables and outlined for pictures, all in one way."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Literal

import numpy as np

from wassay import models, transport


@dataclass(frozen=True)
class Outline:
    """A curve as pictures draw it.

    Attributes
    ----------
    s : list of float
        Evenly spaced over [0, 1], and the solved ones; ascending.
    distance : list of float
        NaN where the curve has none.
    lower, upper : list of float or None
        The certified bracket; None where it is not known everywhere.
    """

    s: list[float]
    distance: list[float]
    lower: list[float] | None
    upper: list[float] | None


def outline(curve: transport.DistanceCurve, samples: int) -> Outline:
    """Evaluate a curve at so many values of s, and at the solved ones."""
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
    """A distance that carries noise.

    Attributes
    ----------
    value : float
        0 where noise made its square negative.
    interval : tuple of float
        Holds the distance without noise, with the result's confidence.
    """

    value: float
    interval: tuple[float, float]


def noised_distance(
    costs: Sequence[models.NoisedCost], s: float, confidence: float
) -> NoisedDistance:
    """W_2(η_μ(t0), η_ν(s)) from noised costs.

    At an s of the sweep it is the released cost; elsewhere the least-squares quadratic through all
    of them. With a reference of one point, W_2² is a quadratic in s as long as no point was pulled
    into the ball.
    """
    released = next((each for each in costs if each.s == s), None)
    if released is not None:
        square, (low, high) = released.cost, released.interval
    else:
        weights = transport.quadratic_weights([each.s for each in costs], s)
        square = float(weights @ np.array([each.cost for each in costs]))
        scales = weights * np.array([each.scale for each in costs])
        stray = transport.laplace_bound(scales, confidence)
        low, high = square - stray, square + stray
    return NoisedDistance(_root(square), (_root(low), _root(high)))


def _root(square: float) -> float:
    return sqrt(max(square, 0.0))


def distance_curve(curve: models.Curve, order: Literal[1, 2]) -> transport.DistanceCurve:
    """Turn a curve on the wire into one that can be evaluated."""
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
