"""The attack that estimates the norms of records by their distances to the reference."""

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import Knowledge
from wassay.audit.attacks.column_attack import Cloud, ColumnAttack, Components
from wassay.audit.messages import BuyerMeasure
from wassay.transport import Normal, Normals

_COINCIDE = 1e-6


def run(cloud: Cloud) -> Components | None:
    """Estimate the norms of a seller's records, or say what is published about a buyer's records.

    For a seller's message, a record's norm is estimated by its distance from the reference. For a
    buyer's message, no norm is estimated. A remark says what the reference's distribution tells
    about the buyer's records; it is empty if the distribution tells nothing.

    None if the reference has several points. For a seller's message, also None if the receiver
    cannot compute the reference from two pushes.
    """
    place = _reference_point(cloud)
    if place is None:
        return None
    distances = np.linalg.norm(cloud.points - place, axis=1)
    values = np.empty((len(distances), 0))  # no components: distances to a point are no columns
    if not isinstance(cloud.target.sent, BuyerMeasure):
        return Components(values, norms=distances)
    distribution = cloud.target.secrets.reference.distribution
    if isinstance(distribution, Normals):
        return Components(
            values,
            "the published means and standard deviations of the reference's coordinates tell those "
            "of the columns, if they were taken from them",
        )
    if not isinstance(distribution, Normal) or distribution.std == 1:
        return Components(values)
    return Components(
        values,
        f"the published scale of the reference, {distribution.std:g}, tells the order of magnitude "
        "of the largest norm",
    )


def _reference_point(cloud: Cloud) -> NDArray[np.float64] | None:
    """Return the one point of the reference, moved by the isometry like the sent points.

    None if the reference has several points. For a seller's message, also None if the receiver
    cannot compute the reference from two pushes.
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
