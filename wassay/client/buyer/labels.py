"""Labels of a buyer's points: to score the sellers' labels, or to compare classes (OTDD)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wassay.client.buyer.reference_law import ReferenceLaw
from wassay.client.errors import InvalidArgumentError
from wassay.client.seller.costs import MOST_CLASSES
from wassay.client.seller.matched_classes import names_of
from wassay.client.shared.class_codes import class_codes, with_codes
from wassay.client.shared.reference import SharedReference
from wassay.models import Mode
from wassay.modes import MODES, scores_labels
from wassay.transport import Classes, Measure, Reference
from wassay.transport.data.labels import class_indices


@dataclass(frozen=True, eq=False)
class Labels:
    """One label for each point, and how classes of the two sides are matched.

    In mode ``'measure'``, the sellers' labels are scored by those of the buyer's nearest points
    (`Evaluation.label_scores`), and distances ignore labels. Classes are the same if their names
    are, as text. In the modes ``'cost-block'`` and ``'scalar'``, the cost of two points is their
    squared distance plus the squared W_2 distance of their classes, taken as normal distributions
    (OTDD).

    Parameters
    ----------
    values : array_like, shape (m,)
        The class of every point. The service can tell which points share a class; with a sealed
        reference, it cannot tell the names of classes, unless `match_names` is true.
    match_names : bool
        For the distance: treat classes of one name (as text) as the same on both sides, and compare
        points of a class only with the seller's points of that class: Σ_c p_c W_2²(μ_c, ν_c), with
        p_c the buyer's share of class c. Sellers must have exactly these classes. The service and
        the sellers read the names.
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
            If mode ``'measure'`` is allowed beside others or with `match_names`, the reference has
            several points, or there are too many classes.
        TransportError
            If the labels do not fit the points.
        """
        is_scored = scores_labels(modes)
        if not is_scored and any(not MODES[mode].takes_labels for mode in modes):
            raise InvalidArgumentError(
                "labels are scored in mode measure alone, or compared in the modes cost-block and "
                f"scalar, received the modes {', '.join(modes)}: pass "
                "protocol=Protocol(modes=['measure']), or Protocol(modes=['cost-block']) and "
                "privacy=BuyerPrivacy(reveals_measure=True, max_disclosure='exact')"
            )
        if is_scored and self.match_names:
            raise InvalidArgumentError(
                "match_names is for distances of classes, in the modes cost-block and scalar; in "
                "mode measure labels are scored, always by the names of classes: leave it out"
            )
        if reference is not None and reference.size != 1:
            raise InvalidArgumentError(
                "labels need a reference of one point, received one of "
                f"{reference.size} points: leave reference out"
            )
        classes = len(Classes.of(measure, self.values).means)
        if not is_scored and classes > MOST_CLASSES:
            raise InvalidArgumentError(
                f"expected at most {MOST_CLASSES} classes, received {classes}: join some of them"
            )

    def scored_classes(self, modes: Sequence[Mode]) -> int | None:
        """Return the number of classes if the modes score labels.

        Parameters
        ----------
        modes : sequence of str

        Returns
        -------
        int or None
            None if they do not.
        """
        return len(class_indices(self.values)[0]) if scores_labels(modes) else None

    def append_to(self, pushed: Measure, modes: Sequence[Mode], shared: SharedReference) -> Measure:
        """Append the class as the last coordinate of the pushed points.

        Parameters
        ----------
        pushed : Measure
            The labelled points, pushed.
        modes : sequence of str
            The modes of the request: if they score labels, classes are numbered by codes of their
            names, otherwise from 0.
        shared : SharedReference

        Returns
        -------
        Measure
            In d + 1 coordinates, with the same weights.
        """
        if scores_labels(modes):
            return with_codes(pushed, class_codes(self.values, shared))
        _, classes = class_indices(self.values)
        return with_codes(pushed, classes.astype(np.float64))
