"""Draw the reference of a request for which the buyer names none."""

import math
import secrets

from wassay.client.shared.shared_reference import SEED_BITS
from wassay.models import Order
from wassay.transport import Measure, Normal, Reference, scale_hiding

_SQUARED = 2


def draw_reference(measure: Measure, order: Order, *, sealed: bool = True) -> Reference:
    """Draw a reference γ of one point with independent normal coordinates.

    From two pushes of a record, the service can compute the distance between the record and γ. If γ
    were near the origin, this distance would be the record's norm. So each coordinate of a sealed γ
    gets the standard deviation that `wassay.transport.scale_hiding` returns for the points. For
    order 1, the standard deviation is divided by the square root of the dimension: the farther γ is
    from the points, the wider the intervals of distances are.

    Parameters
    ----------
    measure : Measure
        The buyer's points. The standard deviation of a sealed γ is published; it tells the largest
        norm of the points up to a factor of two.
    order : {1, 2}
        The p of W_p.
    sealed : bool
        Whether γ is hidden from the service. Coordinates of an open γ have the standard deviation
        1, because the service can compute all norms anyway.

    Returns
    -------
    Reference
    """
    std = scale_hiding(measure) if sealed else 1.0
    if sealed and order != _SQUARED:
        std /= math.sqrt(measure.dimension)
    return Reference(1, measure.dimension, Normal(0.0, std), secrets.randbits(SEED_BITS))
