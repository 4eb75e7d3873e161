"""Draw the reference of a request for which the buyer names none."""

import math
import secrets

from wassay.client.shared.shared_reference import SEED_BITS
from wassay.models import Order
from wassay.transport import Measure, Normal, Reference, scale_hiding

_SQUARED = 2


def draw_reference(measure: Measure, order: Order, *, sealed: bool = True) -> Reference:
    """Draw a reference γ of one point with independent normal coordinates.

    If γ is sealed, it is drawn at the scale of the points.

    Parameters
    ----------
    measure : Measure
        The buyer's points.
    order : {1, 2}
        The p of W_p.
    sealed : bool
        Whether γ is hidden from the service. An open γ has the standard deviation 1.

    Returns
    -------
    Reference
    """
    # From two pushes of a record, the service can compute the record's distance from γ. This is the
    # record's norm if γ is near the origin. If the service knows γ, it can compute the norms
    # anyway.
    std = scale_hiding(measure) if sealed else 1.0
    # The farther γ is from the points, the wider the intervals of distances of order 1 are.
    if sealed and order != _SQUARED:
        std /= math.sqrt(measure.dimension)
    return Reference(1, measure.dimension, Normal(0.0, std), secrets.randbits(SEED_BITS))
