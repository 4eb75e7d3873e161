"""Compare labelled points class by class, with classes matched by name.

One transport problem compares all classes, at costs that keep mass within each class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.shared.shared_reference import SharedReference
from wassay.errors import InvalidArgumentError
from wassay.recipes.classes import class_name
from wassay.transport import BarycentricProjection, Measure, Power, SellerCosts, cost_block
from wassay.transport.data.labels import class_indices

# A raise of 1 would keep an optimal plan within the classes. Shift the optimal potentials within
# each class so that the seller's largest is 0. Then the buyer's are at most the largest cost, so
# all potentials together are feasible for the raised costs.
RAISED = 2.0
"""The raise of the costs between different classes, in units of the largest cost."""


@dataclass(frozen=True, eq=False)
class MatchedCosts:
    """Squared distances between pushed points, plus a constant between different classes.

    Attributes
    ----------
    projection, buyer
        See `Costs`.
    shared : SharedReference
        The reference, and the secret isometry that conceals pushed points.
    numbers : ndarray of int
        The class number of each of the seller's points, in the buyer's numbering.
    classes : ndarray of int
        The class number of each of the buyer's points.
    """

    projection: BarycentricProjection
    shared: SharedReference
    numbers: NDArray[np.intp]
    buyer: Measure
    classes: NDArray[np.intp]

    @property
    def order(self) -> Power:
        """The order p of W_p: 2."""
        return 2

    def block(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """Return the cost matrix at s, or only the given rows of it; see `Costs.block`."""
        numbers = self.numbers if rows is None else self.numbers[rows]
        costs = self._squared_distances(s, rows)
        costs[numbers[:, None] != self.classes] += self._added_cost
        return costs

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """Return the costs at every s of a sweep; see `Costs.swept`."""
        blocks = {s: self.block(s) for s in sweep}
        weights = self.projection.measure.weights
        return SellerCosts.from_blocks("the seller", blocks, weights, self.buyer)

    def _squared_distances(
        self, s: float, rows: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        selected = self.projection if rows is None else self.projection.only(rows)
        pushed = self.shared.conceal(selected.interpolate(s))
        return np.array(cost_block(pushed.points, self.buyer.points, self.order))

    @cached_property
    def _added_cost(self) -> float:
        """The amount that is added to the cost between two points of different classes."""
        # The same amount is added at every s, so the costs stay quadratic in s.
        # Costs are convex in s, so the largest cost is at s = 0 or s = 1.
        return RAISED * max(float(self._squared_distances(s).max()) for s in (0.0, 1.0))


def names_of(labels: ArrayLike) -> list[str]:
    """Return the names of the classes in `labels`; the index of a name is the class number."""
    return _texts(class_indices(labels)[0])


def reweight_classes(
    measure: Measure, labels: ArrayLike, buyer_measure: Measure, class_names: Sequence[str]
) -> tuple[Measure, NDArray[np.intp]]:
    """Reweight a seller's points so that each class weighs as much as among the buyer's points.

    Parameters
    ----------
    measure : Measure, n points
    labels : array_like, shape (n,)
    buyer_measure : Measure
        The buyer's points, whose last coordinate is the class number.
    class_names : sequence of str
        The names of the buyer's classes, in the order of their numbers.

    Returns
    -------
    measure : Measure, n points
        The seller's points with the new weights.
    numbers : ndarray of int, shape (n,)
        The class of each of the seller's points, in the buyer's numbering.

    Raises
    ------
    InvalidArgumentError
        If the two sides do not have the same classes, or a name is bytes.
    """
    names, index = class_indices(labels)
    own = _texts(names)
    missing, others = sorted(set(class_names) - set(own)), sorted(set(own) - set(class_names))
    if missing or others or len(own) != len(class_names):
        raise InvalidArgumentError(
            f"expected the classes {', '.join(class_names)}; yours {_difference(missing, others)}"
        )
    number_of = {name: number for number, name in enumerate(class_names)}
    numbers = np.array([number_of[name] for name in own], dtype=np.intp)[index]
    theirs = classes_of(buyer_measure)
    if not np.array_equal(np.unique(theirs), np.arange(len(class_names))):
        raise InvalidArgumentError(
            f"expected the buyer's points to be of the {len(class_names)} named classes, received "
            "points of other classes: decline the request"
        )
    shares = np.bincount(theirs, buyer_measure.weights)
    mass = np.bincount(numbers, measure.weights)
    # The squared distance is then Σ_c p_c W_2²(μ_c, ν_c), for the buyer's shares p_c of classes c.
    weights = measure.weights * (shares / mass)[numbers]
    return Measure(measure.points, weights / weights.sum()), numbers


def classes_of(buyer_measure: Measure) -> NDArray[np.intp]:
    """Return the class numbers of a buyer's points, which are the last coordinate."""
    return np.asarray(np.rint(buyer_measure.points[:, -1]), dtype=np.intp)


def _texts(names: NDArray[Any]) -> list[str]:
    """Return names of classes as text, such as "1" for 1.0; raise if they are bytes."""
    if any(isinstance(name, bytes) for name in names):
        raise InvalidArgumentError(
            f"expected names of classes as text, received bytes such as {bytes(names[0])!r}: "
            "decode them (numpy.char.decode(labels, 'utf-8'))"
        )
    return [class_name(name) for name in names]


def _difference(missing: list[str], others: list[str]) -> str:
    differences = [
        f"{verb} {', '.join(names)}"
        for verb, names in (("lack", missing), ("add", others))
        if names
    ]
    if not differences:
        return (
            "have a name in two spellings that differ in spaces around it or in how Unicode writes "
            "a letter: write the name in one way"
        )
    return (
        f"{' and '.join(differences)}: write the names as the buyer does, leave points of other "
        "classes out, or decline"
    )
