"""The interface of the seller's side of a mode of contribution."""

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
    from wassay.client.seller.computed_costs import Costs
    from wassay.client.shared.shared_reference import SharedReference
    from wassay.transport import BarycentricProjection

_BLOCK_POINTS = 2**12
"""The number of points to push and conceal at a time."""


@dataclass(frozen=True, eq=False)
class SweptPoints:
    """A seller's points to push to every s of the sweep; an audit pushes only some of the points.

    Attributes
    ----------
    projection : BarycentricProjection
        The points, and their images on the reference.
    shared : SharedReference
        The reference, and the secret isometry that conceals pushed points.
    sweep : sequence of float
    costs : Costs or None
        The costs from all points of the seller to the buyer's points; None if the mode does not
        compute costs.
    rows : ndarray of int, optional
        The index of each point among all points of the seller; None if these are all points.
    classes : ndarray, shape (n,), optional
        The code of each point's class; None if labels are not scored.
    keeps_order : bool
        Whether points are in the order of the rows of the seller's table.
    """

    projection: BarycentricProjection
    shared: SharedReference
    sweep: Sequence[float]
    costs: Costs | None
    rows: NDArray[np.intp] | None = None
    classes: NDArray[np.float64] | None = None
    keeps_order: bool = False

    def measure(self, s: float) -> Measure:
        """Push the points to s, and conceal the pushed points η_ν(s) by the secret isometry."""
        # Work in blocks of points, so that memory never holds all pushed points twice.
        whole = self.projection.measure
        points = np.empty_like(whole.points)
        start = 0
        for block in self.projection.blocks(_BLOCK_POINTS):
            end = start + block.measure.size
            points[start:end] = self.shared.conceal(block.interpolate(s)).points
            start = end
        points.flags.writeable = False  # so that Measure does not copy the array
        return Measure(points, whole.weights)

    def required_costs(self) -> Costs:
        """Return the costs, for modes in which sellers download the buyer's measure.

        Raises
        ------
        ValueError
            If there are no costs.
        """
        if self.costs is None:
            raise ValueError("expected costs to the buyer's points, received none")
        return self.costs


class SellerMode(ABC):
    """Base of the seller's side of a mode.

    Attributes
    ----------
    audits_costs : bool
        Whether `sent` needs the costs to the buyer's points.
    """

    audits_costs: ClassVar[bool] = False

    @abstractmethod
    def sent(self, swept: SweptPoints) -> Sent:
        """Return what would be uploaded, for the audit to attack."""

    @abstractmethod
    def upload(
        self, contributions: Contributions[Flowing], draft_id: str, swept: SweptPoints, steps: Steps
    ) -> Flow[None]:
        """For each s, upload to a draft what the mode sends; yield steps that show the progress.

        Arrays are made and uploaded one after the other, so that memory holds only one.
        """
