"""Classes of one name on both sides: points are compared class by class.

Σ_c p_c W_2²(μ_c, ν_c), with p_c the buyer's share of class c. It is one transport problem: a
seller's points weigh so that their classes have the buyer's shares, and costs between classes are
raised by more than the largest cost there is, so that no optimal plan leaves a class. The same at
every s, that leaves the costs quadratic in s, and the plan within a class is the same for all s.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.reference import SharedReference
from wassay.transport import BarycentricProjection, Measure, Power, SellerCosts, cost_block
from wassay.transport.data.labels import class_indices

RAISED = 2.0
"""By so many of the largest cost. With one, a plan that leaves a class is no better: potentials of
each class that are at most 0 on one side are at most that cost on the other."""


@dataclass(frozen=True, eq=False)
class MatchedCosts:
    """‖·‖² between pushed points of one class, and more between others.

    `numbers` are the classes of the seller's points, in the buyer's numbering.
    """

    projection: BarycentricProjection
    shared: SharedReference
    numbers: NDArray[np.intp]
    buyer: Measure
    classes: NDArray[np.intp]

    @property
    def order(self) -> Power:
        """p: squares."""
        return 2

    def block(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """C(s), shape (n, m), or some rows of it."""
        numbers = self.numbers if rows is None else self.numbers[rows]
        costs = self._plain(s, rows)
        costs[numbers[:, None] != self.classes] += self._raise
        return costs

    def swept(self, sweep: Iterable[float]) -> SellerCosts:
        """All of a sweep, to be solved here."""
        blocks = {s: self.block(s) for s in sweep}
        weights = self.projection.measure.weights
        return SellerCosts.from_blocks("the seller", blocks, weights, self.buyer)

    def _plain(self, s: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        some = self.projection if rows is None else self.projection.only(rows)
        pushed = self.shared.conceal(some.interpolate(s))
        return np.array(cost_block(pushed.points, self.buyer.points, self.order))

    @cached_property
    def _raise(self) -> float:
        """Costs are convex in s, so that none is larger than at one of the ends."""
        return RAISED * max(float(self._plain(s).max()) for s in (0.0, 1.0))


def names_of(labels: ArrayLike) -> list[str]:
    """What the classes of labelled points are called, in the order of their numbers."""
    return _texts(class_indices(labels)[0])


def matched(
    measure: Measure, labels: ArrayLike, seen: Measure, class_names: Sequence[str]
) -> tuple[Measure, NDArray[np.intp]]:
    """Weigh a seller's points so that their classes have the shares of the buyer's.

    Parameters
    ----------
    measure : Measure, n points
    labels : array_like, shape (n,)
    seen : Measure
        The buyer's; the last coordinate numbers classes.
    class_names : sequence of str
        What these are called.

    Returns
    -------
    measure : Measure, n points
    numbers : ndarray of int, shape (n,)
        The class of every point, in the buyer's numbering.

    Raises
    ------
    InvalidArgumentError
        When the two sides have not the same classes.
    """
    names, index = class_indices(labels)
    own = _texts(names)
    missing, others = sorted(set(class_names) - set(own)), sorted(set(own) - set(class_names))
    if missing or others or len(own) != len(class_names):
        raise InvalidArgumentError(
            f"the request compares the classes {', '.join(class_names)}, each with its own; yours "
            f"{_difference(missing, others)}"
        )
    place = {name: number for number, name in enumerate(class_names)}
    numbers = np.array([place[name] for name in own], dtype=np.intp)[index]
    theirs = classes_of(seen)
    if not np.array_equal(np.unique(theirs), np.arange(len(class_names))):
        raise InvalidArgumentError(
            f"the buyer names {len(class_names)} classes, and has points of others: decline"
        )
    shares = np.bincount(theirs, seen.weights)
    mass = np.bincount(numbers, measure.weights)
    weights = measure.weights * (shares / mass)[numbers]
    return Measure(measure.points, weights / weights.sum()), numbers


def classes_of(seen: Measure) -> NDArray[np.intp]:
    """The numbers of the classes of a buyer's points: their last coordinate."""
    return np.asarray(np.rint(seen.points[:, -1]), dtype=np.intp)


def _texts(names: NDArray[Any]) -> list[str]:
    """Class names as text, without the spaces around."""
    if any(isinstance(name, bytes) for name in names):
        raise InvalidArgumentError(
            f"expected names of classes as text, received bytes, {bytes(names[0])!r} for one: "
            "decode "
            "them (numpy.char.decode(labels, 'utf-8'))"
        )
    return [str(name).strip() for name in names]


def _difference(missing: list[str], others: list[str]) -> str:
    told = [
        f"{verb} {', '.join(names)}"
        for verb, names in (("lack", missing), ("add", others))
        if names
    ]
    if not told:
        return "have a name twice, with spaces around it and without: write it alike"
    return f"{' and '.join(told)}: write names alike, leave points of others out, or decline"
