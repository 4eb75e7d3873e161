"""The parameters of a request's distances: the push, the sweep, the reference, the modes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from wassay.client.buyer.reference_law import ReferenceLaw
from wassay.client.buyer.t0 import require_t0
from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.arguments import as_list, as_sweep
from wassay.models import MAX_SWEEP, MIN_SWEEP, Interpolation, Mode, Order
from wassay.modes import MODES
from wassay.transport import Reference


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
    reference : Reference or ReferenceLaw, optional
        γ, or the law to draw it from. By default one normal point with a fresh seed, with which the
        method is exact. With a sealed reference its scale is that of the buyer's points; see
        `draw_reference`.
    modes : sequence of {'measure', 'cost-block', 'scalar'}
        What sellers may send. The modes ``'cost-block'`` and ``'scalar'`` need
        `BuyerPrivacy.reveals_measure`.
    interpolation : {'barycentric', 'exact'}
        How both sides push points towards a reference of several points. ``'exact'`` keeps every
        pair of the plan (paper eq. 4): up to n + k − 1 parts of n points, to which scores and
        numbers of points then refer. Parts of one record show who belongs together, and how γ lies.

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
        if self.order not in (1, 2) or isinstance(self.order, bool):
            raise InvalidArgumentError(
                f"expected order 1 or 2, received {self.order!r}: distances at t0 and their "
                "intervals follow from distances over the sweep for these two only, with the "
                "Euclidean distance as ground cost. Choose one of them, or compute another "
                "distance where both data sets are at hand"
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
                f"expected modes among {', '.join(MODES)}, received {self.modes!r}"
            )
        object.__setattr__(self, "sweep", sweep)
        object.__setattr__(self, "modes", modes)
