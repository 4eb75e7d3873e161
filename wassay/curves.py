"""Distance curves, from the wire back into mathematics."""

from typing import Literal

from wassay import models, transport


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
