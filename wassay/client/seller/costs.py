"""Costs between a seller's and the buyer's points, for modes in which the seller computes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.errors import InvalidArgumentError
from wassay.client.seller.matched_classes import MatchedCosts, classes_of, matched
from wassay.client.shared.reference import SharedReference
from wassay.models import Request
from wassay.transport import (
    BarycentricProjection,
    Classes,
    Measure,
    Power,
    SellerCosts,
    cost_block,
    labelled_cost,
    project,
)

MOST_CLASSES = 1000
"""Limit on the buyer's classes: a seller compares every pair of classes."""


class Costs(Protocol):
    """Costs to the buyer's points, whose class numbers are `classes` if points are labelled.

    `projection` is that of the seller's points with their weights.
    """

    @property
    def projection(self) -> BarycentricProjection: ...

    @property
    def buyer(self) -> Measure: ...

    @property
    def classes(self) -> NDArray[np.intp] | None: ...

    @property
    def order(self) -> Power: ...

    def block(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """Return C(s), shape (n, m), or the given rows of it."""

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """Return the costs of every s, to be solved on this machine."""


@dataclass(frozen=True, eq=False)
class PointCosts:
    """‖·‖^p between pushed points."""

    projection: BarycentricProjection
    shared: SharedReference
    buyer: Measure
    order: Power

    @property
    def classes(self) -> None:
        """None, since points have no labels."""

    def block(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """Return C(s), shape (n, m), or the given rows of it."""
        selected = self.projection if rows is None else self.projection.only(rows)
        pushed = self.shared.conceal(selected.interpolate(s))
        return cost_block(pushed.points, self.buyer.points, self.order)

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """Return the costs of every s, to be solved on this machine."""
        measures = {s: self.shared.conceal(self.projection.interpolate(s)) for s in sweep}
        return SellerCosts.from_measures("the seller", measures, self.buyer, self.order)


@dataclass(frozen=True, eq=False)
class LabelledCosts:
    """OTDD's cost between labelled pushed points: ‖x − x'‖² + W_2² of their classes.

    The statistics of classes are computed from the uploaded points of both sides; an isometry moves
    their means and covariances along.
    """

    projection: BarycentricProjection
    shared: SharedReference
    labels: ArrayLike
    buyer: Measure
    classes: NDArray[np.intp]

    @property
    def order(self) -> Power:
        """The order p of W_p: 2."""
        return 2

    @classmethod
    def of(
        cls,
        projection: BarycentricProjection,
        shared: SharedReference,
        labels: ArrayLike,
        buyer_measure: Measure,
    ) -> LabelledCosts:
        """Split the buyer's measure into points and classes, its last coordinate.

        Raises
        ------
        InvalidArgumentError
            If there are too many classes.
        """
        numbers, classes = np.unique(buyer_measure.points[:, -1], return_inverse=True)
        if len(numbers) > MOST_CLASSES:
            raise InvalidArgumentError(
                f"expected at most {MOST_CLASSES} classes, received {len(numbers)} from the buyer: "
                "decline the request, or ask its buyer for fewer"
            )
        buyer = Measure(buyer_measure.points[:, :-1], buyer_measure.weights)
        return cls(projection, shared, labels, buyer, classes)

    def block(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """Return C(s), shape (n, m), or the given rows of it."""
        pushed = self.shared.conceal(self.projection.interpolate(s))
        own = Classes.of(pushed, self.labels, "full")
        if rows is not None:
            pushed = self.shared.conceal(self.projection.only(rows).interpolate(s))
            own = Classes(own.index[rows], own.means, own.roots)
        return labelled_cost(pushed, own, self.buyer, self._buyers)

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """Return the costs of every s, to be solved on this machine."""
        blocks = {s: self.block(s) for s in sweep}
        weights = self.projection.measure.weights
        return SellerCosts.from_blocks("the seller", blocks, weights, self.buyer)

    @cached_property
    def _buyers(self) -> Classes:
        return Classes.of(self.buyer, self.classes, "full")


def costs_to(
    buyer_measure: Measure,
    projection: BarycentricProjection,
    shared: SharedReference,
    labels: ArrayLike | None,
    request: Request,
) -> Costs:
    """Return the costs to the buyer's uploaded measure, with its classes if points have labels."""
    if labels is None:
        return PointCosts(projection, shared, buyer_measure, request.order)
    if request.class_names is not None:
        weighed, numbers = matched(projection.measure, labels, buyer_measure, request.class_names)
        own = project(weighed, shared.reference.measure())
        buyer = Measure(buyer_measure.points[:, :-1], buyer_measure.weights)
        return MatchedCosts(own, shared, numbers, buyer, classes_of(buyer_measure))
    return LabelledCosts.of(projection, shared, labels, buyer_measure)
