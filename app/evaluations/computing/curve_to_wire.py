"""Convert curves and certificates to models of the HTTP API."""

from wassay import models as wire
from wassay.transport import Certificate, DistanceCurve


def curve_to_wire(curve: DistanceCurve) -> wire.Curve:
    """Convert a distance curve: its solved distances, its fit, and what bounds it between these."""
    return wire.Curve(
        points=[
            wire.CurvePoint(
                s=point.s,
                distance=curve.distance(point.s),
                cost=point.cost,
                certificate=None
                if point.certificate is None
                else certificate_to_wire(point.certificate),
                line=None if point.line is None else wire.Line(**vars(point.line)),
                mean_shift=point.mean_shift,
            )
            for point in curve.points
        ],
        fit=wire.QuadraticFit(**vars(curve.fit)),
        quadratic_coefficient=curve.quadratic_coefficient,
        displacement=curve.displacement,
        rounding=curve.rounding,
    )


def certificate_to_wire(certificate: Certificate) -> wire.Certificate:
    """Convert a certificate of one distance."""
    return wire.Certificate(gap=certificate.gap, **vars(certificate))
