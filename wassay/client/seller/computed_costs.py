"""Costs between a seller's and the buyer's points, for modes in which the seller computes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.seller.matched_classes import MatchedCosts, classes_of, reweight_classes
from wassay.client.shared.shared_reference import SharedReference
from wassay.errors import InvalidArgumentError
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

# Each of the buyer's classes is compared with each of the seller's.
MOST_CLASSES = 1000
"""The largest number of the buyer's classes."""


class Costs(Protocol):
    """The costs between a seller's pushed points and the buyer's.

    Attributes
    ----------
    projection : BarycentricProjection
        The seller's n points, their weights in the transport problem, and their images on the
        reference.
    buyer : Measure
        The buyer's m pushed points.
    classes : ndarray of int, shape (m,), or None
        The class number of each of the buyer's points; None if points are not labelled.
    order : {1, 2}
        The p of W_p.
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
        """Return the cost matrix at s, shape (n, m), or only the given rows of the matrix."""

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """Return the costs at every s of a sweep, for the solver on this machine."""


@dataclass(frozen=True, eq=False)
class PointCosts:
    """The costs between pushed points without labels: distances to the power `order`."""

    projection: BarycentricProjection
    shared: SharedReference
    buyer: Measure
    order: Power

    @property
    def classes(self) -> None:
        """None, because points have no labels."""

    def block(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """Return the cost matrix at s, or only the given rows of it; see `Costs.block`."""
        selected = self.projection if rows is None else self.projection.only(rows)
        pushed = self.shared.conceal(selected.interpolate(s))
        return cost_block(pushed.points, self.buyer.points, self.order)

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """Return the costs at every s of a sweep; see `Costs.swept`."""
        measures = {s: self.shared.conceal(self.projection.interpolate(s)) for s in sweep}
        return SellerCosts.from_measures("the seller", measures, self.buyer, self.order)


@dataclass(frozen=True, eq=False)
class LabelledCosts:
    """The costs of OTDD: the squared distance of two pushed points plus the W_2² of their classes.

    A class is taken as the normal distribution with the mean and covariance of its pushed points.
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
        """Make the costs to a buyer's measure, whose last coordinate is each point's class number.

        `projection` has the seller's points and their images on the reference.

        Raises
        ------
        InvalidArgumentError
            If the buyer has more than `MOST_CLASSES` classes.
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
        """Return the cost matrix at s, or only the given rows of it; see `Costs.block`."""
        pushed = self.shared.conceal(self.projection.interpolate(s))
        own = Classes.of(pushed, self.labels, "full")
        if rows is not None:
            pushed = self.shared.conceal(self.projection.only(rows).interpolate(s))
            own = Classes(own.index[rows], own.means, own.roots)
        return labelled_cost(pushed, own, self.buyer, self._buyers)

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """Return the costs at every s of a sweep; see `Costs.swept`."""
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
    """Return the costs between a seller's points and the buyer's uploaded measure.

    Parameters
    ----------
    buyer_measure : Measure
        The buyer's pushed points. With `labels`, their last coordinate is the class number.
    projection : BarycentricProjection
        The seller's points, and their images on the reference.
    shared : SharedReference
    labels : array_like, shape (n,), or None
        The classes of the seller's points; None if costs ignore classes.
    request : wassay.models.Request
        If it has `class_names`, classes are matched by name. Otherwise, costs of labelled points
        are those of OTDD.
    """
    if labels is None:
        return PointCosts(projection, shared, buyer_measure, request.order)
    if request.class_names is not None:
        weighed, numbers = reweight_classes(
            projection.measure, labels, buyer_measure, request.class_names
        )
        own = project(weighed, shared.reference.measure())
        buyer = Measure(buyer_measure.points[:, :-1], buyer_measure.weights)
        return MatchedCosts(own, shared, numbers, buyer, classes_of(buyer_measure))
    return LabelledCosts.of(projection, shared, labels, buyer_measure)
