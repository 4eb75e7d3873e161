"""Draw the private push t0, and check a t0 that the caller names."""

import secrets
from collections.abc import Sequence
from itertools import pairwise
from numbers import Real

from wassay.errors import InvalidArgumentError

# A t0 near 0 hardly moves the raw points. A t0 near 1 magnifies rounding errors.
CENTRE = (0.3, 0.7)
"""The range from which t0 is drawn if the sweep allows it."""

# The sweep is public, so its values are the first guesses at t0.
MARGIN = 0.1
"""How near a drawn t0 may be to a value of the sweep, as a share of the gap to the next value."""


def draw_t0(sweep: Sequence[float]) -> float:
    """Draw a private push inside the sweep, not near any value of the sweep.

    The push lies in [0.3, 0.7] if the sweep allows it.

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
    # Draw uniformly, and so that nobody can predict t0.
    offset = secrets.SystemRandom().uniform(0, sum(high - low for low, high in intervals))
    for low, high in intervals[:-1]:
        if offset < high - low:
            return low + offset
        offset -= high - low
    low, high = intervals[-1]
    return min(low + offset, high)


def require_t0(t0: float) -> None:
    """Raise unless t0 is a number in (0, 1).

    Raises
    ------
    InvalidArgumentError
        If t0 is something else.
    """
    if not isinstance(t0, Real) or not 0 < t0 < 1:
        raise InvalidArgumentError(
            "expected t0 to be a number between 0 (the raw data) and 1 (only the reference), not "
            f"equal to either, received {t0!r}"
        )
