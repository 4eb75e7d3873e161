"""The attack that estimates the norms of records by their distances to the reference."""

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import Knowledge
from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.audit.messages import BuyerMeasure
from wassay.transport import Normal, Normals, Reference

_COINCIDE = 1e-6


def run(cloud: Cloud) -> Components | None:
    """Estimate the norms of a seller's records, or state what is published of a buyer's records.

    Return None if the reference has several points, or the message does not reveal its point.
    """
    place = _reference_point(cloud)
    if place is None:
        return None
    values = np.empty((len(cloud.points), 0))  # no components: distances to a point are no columns
    if isinstance(cloud.target.sent, BuyerMeasure):
        return Components(values, _published(cloud.target.secrets.reference))
    return Components(values, norms=np.linalg.norm(cloud.points - place, axis=1))


def _published(reference: Reference) -> str:
    """Return what the reference's distribution tells about a buyer's records; may be empty."""
    distribution = reference.distribution
    if isinstance(distribution, Normals):
        return (
            "the published means and standard deviations of the reference's coordinates tell those "
            "of the columns, if they were taken from them"
        )
    if not isinstance(distribution, Normal) or distribution.std == 1:
        return ""
    return (
        f"the published scale of the reference, {distribution.std:g}, tells the order of magnitude "
        "of the largest norm"
    )


def _reference_point(cloud: Cloud) -> NDArray[np.float64] | None:
    """Return the one point of the reference, moved by the isometry like the sent points.

    Return None if the reference has several points, or a seller's message does not reveal the
    point.
    """
    target = cloud.target
    if isinstance(target.sent, BuyerMeasure):
        return target.secrets.measure.points[0] if target.secrets.is_one_point else None
    if Knowledge.TWO_PUSHES not in target.knowledge:
        return None
    # Two pushes reveal the reference. The service can then use it against the buyer's measure.
    s = target.pushes[-1]
    images = (target.pushed[s].points - (1 - s) * cloud.points) / s
    spread = float(np.ptp(images, axis=0).max())
    return images.mean(axis=0) if spread <= _COINCIDE * float(np.ptp(cloud.points)) else None


ORIGIN = ColumnAttack("distance to the reference", frozenset(), run)
