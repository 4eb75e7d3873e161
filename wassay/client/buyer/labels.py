"""Labels of a buyer's points, for the distance of labelled data (OTDD)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wassay.client.buyer.reference_law import ReferenceLaw
from wassay.client.errors import InvalidArgumentError
from wassay.client.seller.costs import MOST_CLASSES
from wassay.client.seller.matched_classes import names_of
from wassay.models import Mode
from wassay.modes import MODES
from wassay.transport import Classes, Measure, Reference
from wassay.transport.data.labels import class_indices


@dataclass(frozen=True, eq=False)
class Labels:
    """One label for each point, and how classes of the two sides are matched.

    The cost of two points is their squared distance plus the squared W_2 distance of their
    classes, taken as normal distributions (OTDD).

    Parameters
    ----------
    values : array_like, shape (m,)
        The class of every point. Which points share a class leaves this process in the clear; the
        names of classes do not, unless `match_names` is true.
    match_names : bool
        Treat classes of one name (as text) as the same on both sides, and compare points of a class
        only with the seller's points of that class: Σ_c p_c W_2²(μ_c, ν_c), with p_c the buyer's
        share of class c. Sellers must have exactly these classes. The service and the sellers read
        the names.
    """

    values: ArrayLike
    match_names: bool = False

    @property
    def class_names(self) -> list[str] | None:
        """Names to publish with the request, by class number; None unless `match_names`."""
        return names_of(self.values) if self.match_names else None

    def require_usable(
        self, measure: Measure, modes: Sequence[Mode], reference: Reference | ReferenceLaw | None
    ) -> None:
        """Raise if a request over these points, modes and reference cannot have labels.

        Parameters
        ----------
        measure : Measure
            The labelled points.
        modes : sequence of str
            The modes of the request.
        reference : Reference, ReferenceLaw or None
            None for the default reference of one point.

        Raises
        ------
        InvalidArgumentError
            If mode ``'measure'`` is allowed, the reference has several points, or there are too
            many classes.
        TransportError
            If the labels do not fit the points.
        """
        if any(not MODES[mode].takes_labels for mode in modes):
            raise InvalidArgumentError(
                "labels need the modes cost-block or scalar, in which sellers compute distances of "
                "classes: pass protocol=Protocol(modes=['cost-block']) and privacy=BuyerPrivacy("
                "reveals_measure=True, max_disclosure='exact'). In mode measure, ask with "
                "wassay.transport.with_labels(points, labels), and tell sellers to do the same."
            )
        if reference is not None and reference.size != 1:
            raise InvalidArgumentError(
                "labels need a reference of one point, received one of "
                f"{reference.size} points: leave reference out"
            )
        classes = len(Classes.of(measure, self.values).means)
        if classes > MOST_CLASSES:
            raise InvalidArgumentError(
                f"expected at most {MOST_CLASSES} classes, received {classes}: join some of them"
            )

    def append_to(self, pushed: Measure) -> Measure:
        """Append the class numbers as the last coordinate of the pushed points.

        Parameters
        ----------
        pushed : Measure
            The labelled points, pushed.

        Returns
        -------
        Measure
            In d + 1 coordinates, with the same weights.
        """
        _, classes = class_indices(self.values)
        return Measure(np.column_stack([pushed.points, classes]), pushed.weights)
