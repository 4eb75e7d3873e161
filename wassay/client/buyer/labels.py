"""The labels of a buyer's points, used to score sellers' labels or to compare classes (OTDD)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wassay.client.buyer.reference_law import ReferenceLaw
from wassay.client.seller.computed_costs import MOST_CLASSES
from wassay.client.seller.matched_classes import names_of
from wassay.client.shared.class_codes import class_codes, with_codes
from wassay.client.shared.shared_reference import SharedReference
from wassay.errors import InvalidArgumentError
from wassay.models import Mode
from wassay.modes import MODES, scores_labels
from wassay.recipes import Recipe
from wassay.recipes.classes import class_names
from wassay.transport import Classes, Measure, Reference
from wassay.transport.data.labels import class_indices

# With 60 rows of 61 columns, labels of whitened points are scored much worse than labels of the raw
# points.
FEWEST_ROWS = 3
"""How many labelled rows there should be for each whitened coordinate."""


@dataclass(frozen=True, eq=False)
class Labels:
    """One label for each point, and how the classes of both sides are matched.

    In mode ``'measure'``, distances ignore labels, but sellers' labels are scored
    (`Evaluation.label_scores`). In the modes ``'cost-block'`` and ``'scalar'``, distances are those
    of labelled data (OTDD).

    Parameters
    ----------
    values : array_like, shape (m,)
        The class of each point. The service can tell which points share a class, but with a sealed
        reference it can read class names only if `match_names` is true.
    match_names : bool
        Whether to compare points only with points of the class of the same name, in the modes
        ``'cost-block'`` and ``'scalar'``. Sellers must then have exactly these classes, and the
        service and the sellers can read the names.

    Notes
    -----
    Scoring compares each label of a seller with the labels of the buyer's nearby points. Classes
    match if their names are equal as text.

    In OTDD, the cost of two points is their squared distance plus the squared W_2 distance of their
    classes, taken as normal distributions. With `match_names`, the cost is the squared distance
    alone. The squared distance of the two sides is then the mean of the classes' squared distances,
    weighted by the classes' shares of the buyer's weight.
    """

    values: ArrayLike
    match_names: bool = False

    @property
    def class_names(self) -> list[str] | None:
        """The class names to publish, in the order of class numbers; None unless `match_names`."""
        return names_of(self.values) if self.match_names else None

    def require_usable(
        self, measure: Measure, modes: Sequence[Mode], reference: Reference | ReferenceLaw | None
    ) -> None:
        """Raise if a request with these points, modes and reference cannot have these labels.

        Parameters
        ----------
        measure : Measure
            The labelled points.
        modes : sequence of str
            The modes of the request.
        reference : Reference, ReferenceLaw or None
            None for the default reference, which has one point.

        Raises
        ------
        InvalidArgumentError
            If mode ``'measure'`` is combined with other modes or with `match_names`, or the
            reference has several points. In the other modes, also if there are more classes than a
            seller can compare.
        TransportError
            If a label is missing, or points and labels differ in number.
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
                "match_names is for the modes cost-block and scalar, received it with mode "
                "measure, which always matches classes by name: leave match_names out"
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
            The modes of the request.

        Returns
        -------
        int or None
            None if the modes do not score labels.
        """
        return len(np.unique(class_names(self.values))) if scores_labels(modes) else None

    def append_to(self, pushed: Measure, modes: Sequence[Mode], shared: SharedReference) -> Measure:
        """Append the class of each point to the pushed points, as the last coordinate.

        Parameters
        ----------
        pushed : Measure
            The labelled points after the push, with d coordinates.
        modes : sequence of str
            The modes of the request. If they score labels, a class is written as the code of its
            name, otherwise as a number from 0.
        shared : SharedReference
            The reference. The codes are derived from its key.

        Returns
        -------
        Measure
            The points with d + 1 coordinates and the same weights.
        """
        if scores_labels(modes):
            return with_codes(pushed, class_codes(self.values, shared))
        _, classes = class_indices(self.values)
        return with_codes(pushed, classes.astype(np.float64))


def warn_of_few_rows(rows: int, recipe: Recipe, modes: Sequence[Mode]) -> None:
    """Warn if the recipe whitens, and there are too few rows to find sellers' wrong labels.

    Parameters
    ----------
    rows : int
        The number of the buyer's labelled rows.
    recipe : Recipe
        The recipe that made points of the rows.
    modes : sequence of str
        The modes of the request.

    Warns
    -----
    UserWarning
        If the modes score labels, and there are fewer than `FEWEST_ROWS` rows for each whitened
        coordinate.
    """
    whitening = recipe.fitted.whitening
    if not scores_labels(modes) or whitening is None or rows >= FEWEST_ROWS * len(whitening):
        return
    warnings.warn(
        f"expected at least {FEWEST_ROWS * len(whitening):,} rows to find wrong labels, "
        f"{FEWEST_ROWS} for each of {len(whitening)} whitened coordinates, received {rows:,}: give "
        "more rows or fewer columns, or do not whiten (recipe=Recipe.fit(rows, whiten=False)), "
        "which lets the service read more columns",
        stacklevel=2,
    )


def with_scored_classes(recipe: Recipe, own: Labels | None, modes: Sequence[Mode]) -> Recipe:
    """Return the recipe with class names if the modes score labels, and without them otherwise.

    Parameters
    ----------
    recipe : Recipe
        The classes are the values of the recipe's field with the role `label`.
    own : Labels or None
        Labels to take the classes from instead of the recipe.
    modes : sequence of str
        The modes of the request.
    """
    if not scores_labels(modes):
        return recipe.with_classes(None)
    return recipe if own is None else recipe.with_classes(own.values)
