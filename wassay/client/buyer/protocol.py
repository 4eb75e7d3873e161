"""The parameters of a request's distances: the push, the sweep, the reference, the modes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from wassay.client.buyer.reference_law import ReferenceLaw
from wassay.client.buyer.t0 import require_t0
from wassay.client.shared.arguments import as_list, as_sweep
from wassay.errors import InvalidArgumentError
from wassay.models import MAX_SWEEP, MIN_SWEEP, Interpolation, Mode, Order
from wassay.models.sweep import sorted_and_apart
from wassay.modes import MODES
from wassay.transport import Reference


@dataclass(frozen=True)
class Protocol:
    """Parameters of the TriangleWad protocol for one request.

    Parameters
    ----------
    t0 : float, optional
        The private push, in (0, 1), which should lie inside the sweep. By default a new t0 is drawn
        for each request.
    sweep : sequence of float
        The values of s to which sellers push: 3 to 32 values in (0, 1), at least 0.001 apart.
    order : {1, 2}
        The p of W_p.
    reference : Reference or ReferenceLaw, optional
        γ, or the law to draw γ from. By default γ is one normal point with a new seed, which makes
        the method exact.
    modes : sequence of {'measure', 'cost-block', 'scalar'}
        The modes in which sellers may contribute. The modes ``'cost-block'`` and ``'scalar'`` need
        `BuyerPrivacy.reveals_measure`.
    interpolation : {'barycentric', 'exact'}
        How both sides push points towards a reference of several points. ``'barycentric'`` pushes
        each point as a whole; ``'exact'`` splits points into parts.

    Raises
    ------
    InvalidArgumentError
        If a parameter is out of range.

    Notes
    -----
    With exact interpolation, each part is pushed towards one point of γ (paper eq. 4). Scores and
    numbers of points then refer to parts: n points have up to n + k − 1 parts if γ has k points.
    Receivers can tell which parts come from the same record, and how points of γ lie to each other.

    Examples
    --------
    >>> Protocol(order=1, sweep=(0.2, 0.4, 0.6, 0.8)).modes
    ('measure',)
    """

    t0: float | None = field(default=None, repr=False)
    sweep: Sequence[float] = (0.25, 0.5, 0.75)
    order: Order = 2
    reference: Reference | ReferenceLaw | None = None
    modes: Sequence[Mode] = ("measure",)
    interpolation: Interpolation = "barycentric"

    def __post_init__(self) -> None:
        if self.t0 is not None:
            require_t0(self.t0)
        sweep = tuple(as_sweep(self.sweep))
        if not MIN_SWEEP <= len(set(sweep)) == len(sweep) <= MAX_SWEEP:
            raise InvalidArgumentError(
                f"expected a sweep of {MIN_SWEEP} to {MAX_SWEEP} distinct values, received {sweep}"
            )
        try:
            sorted_and_apart(sweep)
        except ValueError as error:
            raise InvalidArgumentError(f"{error}; received {sweep}") from None
        if self.order not in (1, 2) or isinstance(self.order, bool):
            raise InvalidArgumentError(
                f"expected order 1 or 2, received {self.order!r}: the distance at t0 can be "
                "estimated from the sweep only for these orders and the Euclidean distance. "
                "Choose 1 or 2, or compute another distance where both data sets are at hand"
            )
        if not isinstance(self.reference, Reference | ReferenceLaw | None):
            raise InvalidArgumentError(
                f"expected reference to be a wassay.Reference, a wassay.ReferenceLaw or None, "
                f"received {self.reference!r}"
            )
        if self.interpolation not in get_args(Interpolation):
            raise InvalidArgumentError(
                f"expected interpolation 'barycentric' or 'exact', received {self.interpolation!r}"
            )
        modes = tuple(as_list(self.modes, "modes"))
        if not modes or any(mode not in MODES for mode in modes):
            raise InvalidArgumentError(
                f"expected one or more of the modes {', '.join(MODES)}, received {self.modes!r}"
            )
        object.__setattr__(self, "sweep", sweep)
        object.__setattr__(self, "modes", modes)
