"""Draw the reference of a request whose buyer names none."""

import math
import secrets

from wassay.client.shared.reference import SEED_BITS
from wassay.models import Order
from wassay.transport import Measure, Normal, Reference, scale_hiding

_SQUARED = 2


def draw_reference(measure: Measure, order: Order, *, sealed: bool = True) -> Reference:
    """Draw a reference of one normal point; for a sealed request, at the scale of the points.

    Two pushes of a record lead to γ, so the service sees how far each record is from it. If γ were
    near the origin, that distance would be the record's norm. So γ is drawn at a secret place: its
    coordinates have the scale that `wassay.transport.scale_hiding` gives. For order 1, where the
    farther γ is, the wider intervals are, only the norm of γ has that scale.

    Parameters
    ----------
    measure : Measure
        The buyer's points. Everybody learns the scale: the largest norm up to a factor of two.
    order : {1, 2}
    sealed : bool
        An open reference has the scale 1: the service knows γ, and so all norms.

    Returns
    -------
    Reference
    """
    std = scale_hiding(measure) if sealed else 1.0
    if sealed and order != _SQUARED:
        std /= math.sqrt(measure.dimension)
    return Reference(1, measure.dimension, Normal(0.0, std), secrets.randbits(SEED_BITS))
