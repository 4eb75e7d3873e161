"""What never leaves the buyer's process of a request."""

from dataclasses import dataclass, field

from wassay.client.buyer.t0 import require_t0
from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.sent_rows import SentRows
from wassay.transport import ProjectionScaling


@dataclass(frozen=True)
class PrivatePush:
    """t0, σ_bμ, scaling and rows of a request; `repr` shows none of these: it ends up in logs.

    Attributes
    ----------
    t0 : float
        How far the buyer's points were pushed towards the reference, in (0, 1).
    projection_spread : float
        σ_bμ of the buyer's barycentric projection, in units of the coordinates.
    scaling : ProjectionScaling or None
        Scales distances of randomly projected points, and was calibrated on the buyer's; None if
        points are not projected.
    rows : SentRows or None
        Which row of the buyer's table each point is; None if this is not known.

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
        """Of how many rows the buyer's points are a sample, in words; None if they are none."""
        return str(self.rows) if self.rows is not None and self.rows.is_sample else None
