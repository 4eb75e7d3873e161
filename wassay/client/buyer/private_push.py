"""The secrets of a request that the buyer sends to nobody."""

from dataclasses import dataclass, field

from wassay.client.buyer.t0 import require_t0
from wassay.client.shared.sent_rows import SentRows
from wassay.errors import InvalidArgumentError
from wassay.transport import ProjectionScaling


@dataclass(frozen=True)
class PrivatePush:
    """The secrets that the buyer needs to read a request's results; `repr` does not show them.

    Attributes
    ----------
    t0 : float
        How far the buyer's points were pushed towards the reference, in (0, 1).
    projection_spread : float
        How far the buyer's points lie from their mean after a full push (t = 1): the weighted root
        mean square, σ_bμ. 0 if the reference has one point.
    scaling : ProjectionScaling or None
        Scales distances of projected points up to distances of raw points; None if points are not
        projected at random.
    rows : SentRows or None
        The row of the buyer's table for each point; None if unknown.

    Raises
    ------
    InvalidArgumentError
        If t0 is outside (0, 1) or the spread is negative.
    """

    t0: float = field(repr=False)
    projection_spread: float = field(repr=False)
    scaling: ProjectionScaling | None = field(default=None, repr=False)
    rows: SentRows | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_t0(self.t0)
        if not self.projection_spread >= 0:
            raise InvalidArgumentError(
                f"expected projection_spread of at least 0, received {self.projection_spread}"
            )

    @property
    def sampled(self) -> str | None:
        """How many of the buyer's rows were drawn, such as "500 of 2,000 rows, drawn with seed 7".

        None if all rows were used.
        """
        return str(self.rows) if self.rows is not None and self.rows.is_sample else None
