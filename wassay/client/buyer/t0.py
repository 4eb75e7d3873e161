"""The private push t0: draw it, and check one that the caller names."""

import secrets
from collections.abc import Sequence
from itertools import pairwise
from numbers import Real

from wassay.client.errors import InvalidArgumentError

CENTRE = (0.3, 0.7)
"""The range that t0 is drawn from if the sweep allows.

A t0 near 0 moves the raw points little. One near 1 magnifies rounding and, with a reference of many
points, the error of the estimate."""

MARGIN = 0.1
"""Least distance of a drawn t0 from its neighbours in the sweep, as a share of their distance.

Everybody knows the sweep, so its values are the first guesses at t0."""


def draw_t0(sweep: Sequence[float]) -> float:
    """Draw a private push between two values of the sweep, uniformly and unpredictably.

    The draw is uniform on the intervals between neighbouring s_j, without a tenth of each interval
    at either end, and within [0.3, 0.7] if any of them reaches into it.

    Parameters
    ----------
    sweep : sequence of float
        At least two distinct values in (0, 1).

    Returns
    -------
    float
    """
    intervals = [
        (low + MARGIN * (high - low), high - MARGIN * (high - low))
        for low, high in pairwise(sorted(sweep))
    ]
    central = [(max(low, CENTRE[0]), min(high, CENTRE[1])) for low, high in intervals]
    intervals = [(low, high) for low, high in central if low < high] or intervals
    offset = secrets.SystemRandom().uniform(0, sum(high - low for low, high in intervals))
    for low, high in intervals[:-1]:
        if offset < high - low:
            return low + offset
        offset -= high - low
    low, high = intervals[-1]
    return min(low + offset, high)


def require_t0(t0: float) -> None:
    """Raise if t0 is not a number in (0, 1).

    Raises
    ------
    InvalidArgumentError
        If t0 is not such a number.
    """
    if not isinstance(t0, Real) or not 0 < t0 < 1:
        raise InvalidArgumentError(
            "expected t0 strictly between 0 (the raw data) and 1 (the reference alone), "
            f"received {t0!r}"
        )
