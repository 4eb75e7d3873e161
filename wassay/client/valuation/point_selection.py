"""Points to inspect, or to buy, over all sellers and as far as each shows its scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport import TransportError, highest_first, in_distribution


@dataclass(frozen=True)
class Noisiest:
    """Which few of a seller's points are the noisiest, and no more.

    Attributes
    ----------
    rows : tuple of int
        In no order.
    points : int
        Of how many.
    """

    rows: tuple[int, ...]
    points: int


@dataclass(frozen=True, eq=False)
class VisibleScores:
    """What one seller shows of the scores of its points.

    Attributes
    ----------
    contribution_id, label : str
    scores : ndarray, shape (n,), or None
    spread : ndarray, shape (n,), or None
        How wide the interval of each score is; 0 where it is not said.
    ranks : ndarray of int, shape (n,), or None
        0 is the highest score.
    noisiest : Noisiest or None
        Where all are None, nothing is shown.
    """

    contribution_id: str
    label: str
    scores: NDArray[np.float64] | None = None
    spread: NDArray[np.float64] | None = None
    ranks: NDArray[np.intp] | None = None
    noisiest: Noisiest | None = None


@dataclass(frozen=True)
class SelectedPoint:
    """One point of a seller.

    Attributes
    ----------
    contribution_id, label : str
        Whose.
    index : int
        Its row in what the seller contributed.
    score : float or None
        At t0; unknown where no scores are shown.
    """

    contribution_id: str
    label: str
    index: int
    score: float | None


@dataclass(frozen=True)
class PointSelection:
    """Points of all sellers of whom something is shown.

    Attributes
    ----------
    points : tuple of SelectedPoint
        Those with scores first, the most marked before the others; then those of sellers of whom
        less is shown.
    withheld : tuple of str
        Labels of the sellers of whom nothing is shown that says which of their points to
        select_points.
    """

    points: tuple[SelectedPoint, ...]
    withheld: tuple[str, ...]

    def of(self, contribution_id: str) -> list[int]:
        """The rows chosen from one contribution, ascending."""
        return sorted(p.index for p in self.points if p.contribution_id == contribution_id)


def select_points(shown: Sequence[VisibleScores], count: int, *, noisiest: bool) -> PointSelection:
    """Take `count` points, the noisiest or the most valuable.

    Scores compare points of different sellers, ranks do not. A seller of whom ranks alone are
    shown therefore gives its share of the points, rounded down, and so does one of whom the
    noisiest are, as far as there are so many; the others compete for the rest.

    """
    sizes = [_size(seller, noisiest) for seller in shown]
    total = sum(sizes)
    ranked = [
        SelectedPoint(seller.contribution_id, seller.label, int(index), None)
        for seller, size in zip(shown, sizes, strict=True)
        if size
        for index in _share(seller, size * count // total, noisiest)
    ]
    scored = [
        SelectedPoint(seller.contribution_id, seller.label, index, float(score))
        for seller in shown
        if seller.scores is not None
        for index, score in enumerate(seller.scores)
    ]
    order = _ends(
        np.array([point.score for point in scored], dtype=np.float64),
        count - len(ranked),
        noisiest,
    )
    withheld = [each.label for each, size in zip(shown, sizes, strict=True) if not size]
    return PointSelection((*(scored[index] for index in order), *ranked), tuple(withheld))


def select_outliers(shown: Sequence[VisibleScores], cutoff: float) -> PointSelection:
    """Take the points whose scores are far above those of their seller's others.

    Raises
    ------
    TransportError
        When the cutoff is not positive, or scores of a seller are not finite.
    """
    points = []
    for seller in shown:
        if seller.scores is None:
            continue
        try:
            spread = 0.0 if seller.spread is None else seller.spread
            kept = in_distribution(seller.scores, spread=spread, cutoff=cutoff)
            far = np.flatnonzero(~kept)
        except TransportError as error:
            error.add_note(f"in the scores of {seller.label}")
            raise
        points += [
            SelectedPoint(seller.contribution_id, seller.label, int(row), float(seller.scores[row]))
            for row in far
        ]
    withheld = [seller.label for seller in shown if seller.scores is None]
    return PointSelection(tuple(points), tuple(withheld))


def _size(seller: VisibleScores, noisiest: bool) -> int:
    """How many points of a seller can be chosen from."""
    values = seller.scores if seller.scores is not None else seller.ranks
    if values is not None:
        return len(values)
    return seller.noisiest.points if seller.noisiest is not None and noisiest else 0


def _share(seller: VisibleScores, count: int, noisiest: bool) -> Sequence[int] | NDArray[np.intp]:
    """A seller's own share where its points cannot compete, for want of scores."""
    if seller.ranks is not None:
        return _ends(-seller.ranks, count, noisiest)
    return () if seller.noisiest is None else seller.noisiest.rows[:count]


def _ends(
    values: NDArray[np.float64] | NDArray[np.intp], count: int, highest: bool
) -> NDArray[np.intp]:
    """Positions of the highest or the lowest values, the most extreme first."""
    return highest_first(values if highest else -values)[:count]
