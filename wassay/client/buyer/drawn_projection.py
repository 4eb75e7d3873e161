"""Draw a request's random projection, and find how to scale distances up to those of raw points."""

from wassay.client.buyer.privacy import BuyerPrivacy
from wassay.errors import InvalidArgumentError
from wassay.models import Order
from wassay.transport import Measure, ProjectionScaling, RandomProjection, SolverMissing


def draw_projection(measure: Measure, privacy: BuyerPrivacy) -> RandomProjection | None:
    """Draw a random projection to `privacy.dimensions`; return None if the buyer set no dimensions.

    Parameters
    ----------
    measure : Measure
        The buyer's points.
    privacy : BuyerPrivacy

    Returns
    -------
    RandomProjection or None

    Raises
    ------
    InvalidArgumentError
        If `privacy.dimensions` is not less than the dimension of the points.
    """
    if privacy.dimensions is None:
        return None
    if privacy.dimensions >= measure.dimension:
        raise InvalidArgumentError(
            f"expected fewer dimensions than the points have ({measure.dimension}), received "
            f"{privacy.dimensions}: leave out dimensions to compare all coordinates"
        )
    return RandomProjection.draw(measure.dimension, privacy.dimensions)


def scaling_of(measure: Measure, reduction: RandomProjection, order: Order) -> ProjectionScaling:
    """Return how to scale distances of projected points up to distances of the raw points.

    If the extra `solver` is not installed, scaled distances have no intervals.

    Parameters
    ----------
    measure : Measure
        The buyer's points, which `reduction` projects.
    reduction : RandomProjection
    order : {1, 2}
        The p of W_p.

    Returns
    -------
    ProjectionScaling
    """
    try:
        return ProjectionScaling.calibrate(measure, reduction.reduced, order)
    except SolverMissing:
        return ProjectionScaling(measure.dimension, reduction.reduced)
