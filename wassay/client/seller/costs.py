"""Costs of a seller's points to the buyer's, which a seller in some modes computes."""

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
"""More on the buyer's side would take a seller too long: each pair of classes is compared."""


class Costs(Protocol):
    """Costs to the buyer's points, `buyer`, with these `classes` where points are labelled.

    `projection` is of the seller's points, as these are weighed.
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
        """C(s), shape (n, m), or some rows of it."""

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """All of a sweep, to be solved here."""


@dataclass(frozen=True, eq=False)
class PointCosts:
    """‖·‖^p between pushed points."""

    projection: BarycentricProjection
    shared: SharedReference
    buyer: Measure
    order: Power

    @property
    def classes(self) -> None:
        """None: points have no labels."""

    def block(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """C(s), shape (n, m), or some rows of it."""
        some = self.projection if rows is None else self.projection.only(rows)
        pushed = self.shared.conceal(some.interpolate(s))
        return cost_block(pushed.points, self.buyer.points, self.order)

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """All of a sweep, to be solved here."""
        measures = {s: self.shared.conceal(self.projection.interpolate(s)) for s in sweep}
        return SellerCosts.from_measures("the seller", measures, self.buyer, self.order)


@dataclass(frozen=True, eq=False)
class LabelledCosts:
    """OTDD's between pushed points that have labels: ‖x − x'‖² + W_2² of their classes.

    Classes are computed of the points as they are sent, both sides' alike; an isometry moves their
    means and covariances along.
    """

    projection: BarycentricProjection
    shared: SharedReference
    labels: ArrayLike
    buyer: Measure
    classes: NDArray[np.intp]

    @property
    def order(self) -> Power:
        """p: squares."""
        return 2

    @classmethod
    def of(
        cls,
        projection: BarycentricProjection,
        shared: SharedReference,
        labels: ArrayLike,
        seen: Measure,
    ) -> LabelledCosts:
        """Read the buyer's classes, which are the last coordinate of the measure that was seen.

        Raises
        ------
        InvalidArgumentError
            When they are too many.
        """
        numbers, classes = np.unique(seen.points[:, -1], return_inverse=True)
        if len(numbers) > MOST_CLASSES:
            raise InvalidArgumentError(
                f"the buyer's points have {len(numbers)} classes, {MOST_CLASSES} at most are "
                "compared: decline the request, or ask its buyer for fewer"
            )
        buyer = Measure(seen.points[:, :-1], seen.weights)
        return cls(projection, shared, labels, buyer, classes)

    def block(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """C(s), shape (n, m), or some rows of it."""
        pushed = self.shared.conceal(self.projection.interpolate(s))
        own = Classes.of(pushed, self.labels, "full")
        if rows is not None:
            pushed = self.shared.conceal(self.projection.only(rows).interpolate(s))
            own = Classes(own.index[rows], own.means, own.roots)
        return labelled_cost(pushed, own, self.buyer, self._buyers)

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """All of a sweep, to be solved here."""
        blocks = {s: self.block(s) for s in sweep}
        weights = self.projection.measure.weights
        return SellerCosts.from_blocks("the seller", blocks, weights, self.buyer)

    @cached_property
    def _buyers(self) -> Classes:
        return Classes.of(self.buyer, self.classes, "full")


def costs_to(
    seen: Measure,
    projection: BarycentricProjection,
    shared: SharedReference,
    labels: ArrayLike | None,
    request: Request,
) -> Costs:
    """Costs to a buyer's measure as it was uploaded, with its classes where points have labels."""
    if labels is None:
        return PointCosts(projection, shared, seen, request.order)
    if request.class_names is not None:
        weighed, numbers = matched(projection.measure, labels, seen, request.class_names)
        own = project(weighed, shared.reference.measure())
        buyer = Measure(seen.points[:, :-1], seen.weights)
        return MatchedCosts(own, shared, numbers, buyer, classes_of(seen))
    return LabelledCosts.of(projection, shared, labels, seen)
