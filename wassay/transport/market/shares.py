"""The share of each seller in the mixture of all sellers."""

import math
from collections.abc import Mapping

from wassay.transport.errors import TransportError
from wassay.transport.measure import MASS_TOLERANCE


def shares_of(
    sizes: Mapping[str, int], seller_weights: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Return each seller's share in the mixture of all sellers' points; the shares sum to 1.

    Parameters
    ----------
    sizes : mapping of str to int
        Each seller's number of points, by contribution id.
    seller_weights : mapping of str to float, optional
        Shares to use instead of those by size; positive, and summing to 1.

    Raises
    ------
    TransportError
        If the weights belong to other sellers, are not positive, or do not sum to 1.
    """
    if seller_weights is None:
        total = sum(sizes.values())
        return {seller: size / total for seller, size in sizes.items()}
    if seller_weights.keys() != sizes.keys():
        raise TransportError(
            f"expected seller weights for every seller, {sorted(sizes)}, received them for "
            f"{sorted(seller_weights)}"
        )
    shares = {seller: float(seller_weights[seller]) for seller in sizes}
    whole = math.fsum(shares.values())
    if not all(share > 0 for share in shares.values()) or abs(whole - 1) > MASS_TOLERANCE:
        raise TransportError(
            f"expected positive seller weights that sum to 1, received {seller_weights}"
        )
    return {seller: share / whole for seller, share in shares.items()}
