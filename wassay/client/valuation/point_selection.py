"""Select points of all sellers by the scores, ranks or noisiest points that each discloses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport import TransportError, highest_first, in_distribution


@dataclass(frozen=True)
class Noisiest:
    """The noisiest points of a seller who discloses nothing else.

    Attributes
    ----------
    rows : tuple of int
        Row numbers, in no order.
    points : int
        The number of all points of the seller.
    """

    rows: tuple[int, ...]
    points: int


@dataclass(frozen=True, eq=False)
class VisibleScores:
    """The scores of one seller's points, as far as they are disclosed.

    Attributes
    ----------
    contribution_id, label : str
    scores : ndarray, shape (n,), or None
    spread : ndarray, shape (n,), or None
        The spread of each score; None stands for 0.
    ranks : ndarray of int, shape (n,), or None
        0 is the highest score.
    noisiest : Noisiest or None
        If all are None, nothing is disclosed.
    """

    contribution_id: str
    label: str
    scores: NDArray[np.float64] | None = None
    spread: NDArray[np.float64] | None = None
    ranks: NDArray[np.intp] | None = None
    noisiest: Noisiest | None = None


@dataclass(frozen=True)
class SelectedPoint:
    """A selected point.

    Attributes
    ----------
    contribution_id, label : str
        The contribution that the point belongs to.
    index : int
        Row of the point in the contribution.
    score : float or None
        Score at t0; None if scores are not disclosed.
    """

    contribution_id: str
    label: str
    index: int
    score: float | None


@dataclass(frozen=True)
class PointSelection:
    """Points selected from all sellers who disclose enough.

    Attributes
    ----------
    points : tuple of SelectedPoint
        Points with scores first, the most extreme score before the others; then points selected by
        rank.
    withheld : tuple of str
        Labels of the sellers who disclose too little to select points.
    """

    points: tuple[SelectedPoint, ...]
    withheld: tuple[str, ...]

    def of(self, contribution_id: str) -> list[int]:
        """Return the selected rows of one contribution, ascending."""
        return sorted(p.index for p in self.points if p.contribution_id == contribution_id)


def select_points(
    visible: Sequence[VisibleScores], count: int, *, noisiest: bool
) -> PointSelection:
    """Select `count` points, the noisiest or the most valuable.

    Scores compare points of different sellers, ranks do not. So a seller who discloses only ranks,
    or only the noisiest points, gets a share of the selection in proportion to the seller's number
    of points, rounded down (and at most the noisiest points). Points with scores compete for the
    rest.
    """
    sizes = [_size(seller, noisiest) for seller in visible]
    total = sum(sizes)
    ranked = [
        SelectedPoint(seller.contribution_id, seller.label, int(index), None)
        for seller, size in zip(visible, sizes, strict=True)
        if size
        for index in _share(seller, size * count // total, noisiest)
    ]
    scored = [
        SelectedPoint(seller.contribution_id, seller.label, index, float(score))
        for seller in visible
        if seller.scores is not None
        for index, score in enumerate(seller.scores)
    ]
    order = _ends(
        np.array([point.score for point in scored], dtype=np.float64),
        count - len(ranked),
        noisiest,
    )
    withheld = [each.label for each, size in zip(visible, sizes, strict=True) if not size]
    return PointSelection((*(scored[index] for index in order), *ranked), tuple(withheld))


def select_outliers(visible: Sequence[VisibleScores], cutoff: float) -> PointSelection:
    """Select the points whose scores are far above the median of their seller's scores.

    Raises
    ------
    TransportError
        If the cutoff is not positive, or a score is not finite.
    """
    points = []
    for seller in visible:
        if seller.scores is None:
            continue
        try:
            spread = 0.0 if seller.spread is None else seller.spread
            inside = in_distribution(seller.scores, spread=spread, cutoff=cutoff)
            outliers = np.flatnonzero(~inside)
        except TransportError as error:
            error.add_note(f"in the scores of {seller.label}")
            raise
        points += [
            SelectedPoint(seller.contribution_id, seller.label, int(row), float(seller.scores[row]))
            for row in outliers
        ]
    withheld = [seller.label for seller in visible if seller.scores is None]
    return PointSelection(tuple(points), tuple(withheld))


def _size(seller: VisibleScores, noisiest: bool) -> int:
    """Return the number of points of a seller that can be selected."""
    values = seller.scores if seller.scores is not None else seller.ranks
    if values is not None:
        return len(values)
    return seller.noisiest.points if seller.noisiest is not None and noisiest else 0


def _share(seller: VisibleScores, count: int, noisiest: bool) -> Sequence[int] | NDArray[np.intp]:
    """Return `count` rows of a seller who discloses ranks or noisiest points instead of scores."""
    if seller.ranks is not None:
        return _ends(-seller.ranks, count, noisiest)
    return () if seller.noisiest is None else seller.noisiest.rows[:count]


def _ends(
    values: NDArray[np.float64] | NDArray[np.intp], count: int, highest: bool
) -> NDArray[np.intp]:
    """Return the indices of the highest or the lowest values, the most extreme first."""
    return highest_first(values if highest else -values)[:count]
