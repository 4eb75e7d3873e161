"""The parameters of a request's distances: the push, the sweep, the reference, the modes."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from wassay.client.buyer.private_push import require_t0
from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.arguments import as_list, as_sweep
from wassay.models import MAX_SWEEP, MIN_SWEEP, Mode, Order
from wassay.modes import MODES
from wassay.transport import Reference

CENTRE = (0.3, 0.7)
"""The range that t0 is drawn from if the sweep allows.

A t0 near 0 moves the raw points little. One near 1 magnifies rounding and, with a reference of many
points, the error of the estimate."""

MARGIN = 0.1
"""Distance of a drawn t0 from its neighbours in the sweep, as a share of their distance.

Everybody knows the sweep, so its values are the first guesses at t0."""


@dataclass(frozen=True)
class Protocol:
    """Parameters of the TriangleWad protocol for one request.

    Parameters
    ----------
    t0 : float, optional
        The private push, in (0, 1); best inside the sweep, outside of which the estimate is an
        extrapolation. By default a fresh one is drawn for every request; see `draw_t0`.
    sweep : sequence of float
        The s that sellers push to: 3 to 32 distinct values in (0, 1).
    order : {1, 2}
        p of W_p.
    reference : Reference, optional
        γ. By default one normal point with a fresh seed, with which the method is exact.
    modes : sequence of {'measure', 'cost-block', 'scalar'}
        What sellers may send. The modes ``'cost-block'`` and ``'scalar'`` need
        `BuyerPrivacy.reveals_measure`.

    Raises
    ------
    InvalidArgumentError
        If a parameter is out of its range.

    Examples
    --------
    >>> Protocol(order=1, sweep=(0.2, 0.4, 0.6, 0.8)).modes
    ('measure',)
    """

    t0: float | None = field(default=None, repr=False)
    sweep: Sequence[float] = (0.25, 0.5, 0.75)
    order: Order = 2
    reference: Reference | None = None
    modes: Sequence[Mode] = ("measure",)

    def __post_init__(self) -> None:
        if self.t0 is not None:
            require_t0(self.t0)
        sweep = tuple(as_sweep(self.sweep))
        if not MIN_SWEEP <= len(set(sweep)) == len(sweep) <= MAX_SWEEP:
            raise InvalidArgumentError(
                f"expected a sweep of {MIN_SWEEP} to {MAX_SWEEP} distinct values, received {sweep}"
            )
        if self.order not in (1, 2) or isinstance(self.order, bool):
            raise InvalidArgumentError(f"expected order 1 or 2, received {self.order!r}")
        if not isinstance(self.reference, Reference | None):
            raise InvalidArgumentError(
                f"expected reference to be a wassay.Reference or None, received {self.reference!r}"
            )
        modes = tuple(as_list(self.modes, "modes"))
        if not modes or any(mode not in MODES for mode in modes):
            raise InvalidArgumentError(
                f"expected modes among {', '.join(MODES)}, received {self.modes!r}"
            )
        object.__setattr__(self, "sweep", sweep)
        object.__setattr__(self, "modes", modes)


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
