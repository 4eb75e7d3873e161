"""The interface of a mode of contribution in the SDK."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from wassay.transport import Measure

if TYPE_CHECKING:
    from wassay.audit import Sent
    from wassay.client.connection.flows import Flow, Flowing, Steps
    from wassay.client.resources.contributions import Contributions
    from wassay.client.seller.costs import Costs
    from wassay.client.shared.reference import SharedReference
    from wassay.transport import BarycentricProjection

_BLOCK_POINTS = 2**12
"""Points that are pushed and concealed at a time."""


@dataclass(frozen=True, eq=False)
class Swept:
    """A seller's points over the sweep, or some of them.

    Attributes
    ----------
    projection : BarycentricProjection
        The projection of these points.
    shared : SharedReference
        Conceals what is uploaded.
    sweep : sequence of float
    costs : Costs or None
        To the buyer's points, of all the seller's; None if the buyer's measure was not downloaded.
    rows : ndarray of int, optional
        Which of all the seller's points these are; all if left out.
    classes : ndarray, shape (n,), optional
        The code of each point's class, if the service scores labels.
    keeps_order : bool
        Whether points are in the order of the seller's table.
    """

    projection: BarycentricProjection
    shared: SharedReference
    sweep: Sequence[float]
    costs: Costs | None
    rows: NDArray[np.intp] | None = None
    classes: NDArray[np.float64] | None = None
    keeps_order: bool = False

    def measure(self, s: float) -> Measure:
        """Return η_ν(s), concealed.

        Points are pushed and moved one block at a time, so that memory never holds all of them in
        both forms.
        """
        whole = self.projection.measure
        points = np.empty_like(whole.points)
        start = 0
        for block in self.projection.blocks(_BLOCK_POINTS):
            end = start + block.measure.size
            points[start:end] = self.shared.conceal(block.interpolate(s)).points
            start = end
        points.flags.writeable = False  # so that Measure does not copy them
        return Measure(points, whole.weights)

    def required_costs(self) -> Costs:
        """Return the costs, which exist if the mode's terms let sellers download the measure."""
        if self.costs is None:
            raise ValueError("expected costs to the buyer's points, received none")
        return self.costs


class SellerMode(ABC):
    """One way for sellers to contribute.

    Attributes
    ----------
    audits_costs : bool
        Whether `sent` takes costs to the buyer's points.
    """

    audits_costs: ClassVar[bool] = False

    @abstractmethod
    def sent(self, swept: Swept) -> Sent:
        """Return the message that the audit attacks."""

    @abstractmethod
    def upload(
        self, contributions: Contributions[Flowing], draft_id: str, swept: Swept, steps: Steps
    ) -> Flow[None]:
        """Upload to a draft, one s after the other, so that only one array is in memory.

        Yields a step for each s.
        """
