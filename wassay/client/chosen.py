"""Points to inspect, or to buy, over all sellers and as far as each shows its scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.client.errors import InvalidArgumentError


@dataclass(frozen=True, eq=False)
class Shown:
    """What one seller shows of the scores of its points.

    Attributes
    ----------
    contribution_id, label : str
    scores : ndarray, shape (n,), or None
    ranks : ndarray of int, shape (n,), or None
        0 is the highest score. Where both are None, the seller shows nothing.
    """

    contribution_id: str
    label: str
    scores: NDArray[np.float64] | None = None
    ranks: NDArray[np.intp] | None = None


@dataclass(frozen=True)
class ChosenPoint:
    """One point of a seller.

    Attributes
    ----------
    contribution_id, label : str
        Whose.
    index : int
        Its row in what the seller contributed.
    score : float or None
        At t0; unknown where the seller shows ranks only.
    """

    contribution_id: str
    label: str
    index: int
    score: float | None


@dataclass(frozen=True)
class Chosen:
    """Points of all sellers who show something.

    Attributes
    ----------
    points : tuple of ChosenPoint
        Those with scores first, the most marked before the others; then those of sellers who show
        ranks only.
    withheld : tuple of str
        Labels of the sellers who show nothing, whose points nobody could choose.
    """

    points: tuple[ChosenPoint, ...]
    withheld: tuple[str, ...]

    def of(self, contribution_id: str) -> list[int]:
        """The rows chosen from one contribution, ascending."""
        return sorted(p.index for p in self.points if p.contribution_id == contribution_id)


def choose(shown: Sequence[Shown], count: int, *, noisiest: bool) -> Chosen:
    """Take `count` points, the noisiest or the most valuable.

    Scores compare points of different sellers, ranks do not. A seller who shows ranks only
    therefore gives its share of the points, rounded down; the others compete for the rest.

    Raises
    ------
    InvalidArgumentError
        When the count is not positive.
    """
    if count < 1:
        raise InvalidArgumentError(f"at least one point is chosen, came {count}")
    total = sum(_size(seller) for seller in shown)
    ranked = [
        ChosenPoint(seller.contribution_id, seller.label, int(index), None)
        for seller in shown
        if seller.ranks is not None
        for index in _ends(-seller.ranks, len(seller.ranks) * count // total, noisiest)
    ]
    scored = [
        ChosenPoint(seller.contribution_id, seller.label, index, float(score))
        for seller in shown
        if seller.scores is not None
        for index, score in enumerate(seller.scores)
    ]
    order = _ends(
        np.array([point.score for point in scored], dtype=np.float64),
        count - len(ranked),
        noisiest,
    )
    withheld = [each.label for each in shown if each.scores is None and each.ranks is None]
    return Chosen((*(scored[index] for index in order), *ranked), tuple(withheld))


def _size(seller: Shown) -> int:
    values = seller.scores if seller.scores is not None else seller.ranks
    return 0 if values is None else len(values)


def _ends(
    values: NDArray[np.float64] | NDArray[np.intp], count: int, highest: bool
) -> NDArray[np.intp]:
    """Positions of the highest or the lowest values, the most extreme first."""
    order: NDArray[np.intp] = np.argsort(-values if highest else values, kind="stable")[:count]
    return order
