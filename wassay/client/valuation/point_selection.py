"""Select points of all sellers by the scores, ranks or noisiest points that each discloses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.tabular import Columns, Tabular, records_to_columns
from wassay.transport import TransportError, highest_first, in_distribution

NUMBERED_AS_SENT = (
    "Points are numbered as they were sent. Each seller knows which rows of their table these are "
    "(Seller.table_rows, wassay rows)."
)


@dataclass(frozen=True)
class Noisiest:
    """The noisiest points of a seller who discloses nothing else.

    Attributes
    ----------
    named : tuple of int
        Numbers of points, in no order.
    points : int
        The number of all points of the seller.
    """

    named: tuple[int, ...]
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
    points : int
        The number of points, where nothing is disclosed.
    """

    contribution_id: str
    label: str
    scores: NDArray[np.float64] | None = None
    spread: NDArray[np.float64] | None = None
    ranks: NDArray[np.intp] | None = None
    noisiest: Noisiest | None = None
    points: int = 0


@dataclass(frozen=True)
class SelectedPoint:
    """A selected point.

    Attributes
    ----------
    contribution_id, label : str
        The contribution that the point belongs to.
    index : int
        Number of the point as it was sent; `Seller.table_rows` translates it.
    score : float or None
        Score at t0; None if scores are not disclosed.
    deviation : float or None
        How far the score is above the median of the seller's scores.
    """

    contribution_id: str
    label: str
    index: int
    score: float | None
    deviation: float | None = None


@dataclass(frozen=True, repr=False)
class PointSelection(Tabular):
    """Points selected from all sellers who disclose enough.

    Attributes
    ----------
    points : tuple of SelectedPoint
        Points with scores first, the most extreme score before the others; then points selected by
        rank.
    withheld : tuple of str
        Labels of the sellers who disclose too little to select points.
    advice : tuple of str
        Sentences that name the sellers who show ranks or the noisiest points alone, and say what
        would be possible with scores.
    """

    points: tuple[SelectedPoint, ...]
    withheld: tuple[str, ...]
    advice: tuple[str, ...] = ()

    def to_dict(self) -> Columns:
        """Return one row for each selected point.

        Returns
        -------
        dict of str to list
        """
        rows = [
            {
                "seller": each.label,
                "contribution_id": each.contribution_id,
                "point": each.index,
                "score": each.score,
                "deviation": each.deviation,
            }
            for each in self.points
        ]
        return records_to_columns(rows)

    def notes(self) -> list[str]:
        """Return how points are numbered, who shows no scores, and who shows nothing at all.

        Returns
        -------
        list of str
        """
        withheld = (
            [
                f"Withheld: {', '.join(self.withheld)}. Sellers choose what they show when "
                "they answer (SellerPrivacy(scores=…), --scores): ask them for 'ranks' or, if "
                "that is not enough, 'scores'."
            ]
            if self.withheld
            else []
        )
        numbered = [NUMBERED_AS_SENT] if self.points else []
        return [*numbered, *self.advice, *withheld]

    def of(self, contribution_id: str) -> list[int]:
        """Return the selected points of one contribution, ascending."""
        return sorted(p.index for p in self.points if p.contribution_id == contribution_id)


def select_points(
    visible: Sequence[VisibleScores], count: int, *, noisiest: bool
) -> PointSelection:
    """Select `count` points, the noisiest or the most valuable.

    Noise is a property within a seller: a point is noisy if its score is above those of the same
    seller's other points, so noisy points compete by the deviation from their seller's median. What
    a point is worth compares with all others, so valuable points compete by their scores. Ranks do
    not compare between sellers. So a seller who discloses only ranks, or only the noisiest points,
    gets a share of the selection in proportion to the seller's number of points, rounded down. From
    a seller who discloses only the noisiest points, these are selected as noisy points; as valuable
    points, any of the seller's others are.
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
        SelectedPoint(
            seller.contribution_id, seller.label, index, float(score), float(score - median)
        )
        for seller in visible
        if seller.scores is not None
        for median in [np.median(seller.scores)]
        for index, score in enumerate(seller.scores)
    ]
    order = _ends(
        np.array(
            [point.deviation if noisiest else point.score for point in scored], dtype=np.float64
        ),
        count - len(ranked),
        noisiest,
    )
    withheld = [each.label for each, size in zip(visible, sizes, strict=True) if not size]
    return PointSelection(
        (*(scored[index] for index in order), *ranked),
        tuple(withheld),
        tuple(_advice(visible, noisiest)),
    )


def _advice(visible: Sequence[VisibleScores], noisiest: bool) -> Iterator[str]:
    """Name the sellers whose points were not selected by scores, and say what would change that.

    They show no scores, so their points were selected by ranks or by which are the noisiest.
    """
    consent = (
        "if every seller of the evaluation shows scores" if len(visible) > 1 else "with scores"
    )
    ranked = [each.label for each in visible if each.ranks is not None]
    if ranked:
        yield (
            f"By rank, in proportion to their number of points: {', '.join(ranked)}. Their points "
            f"compete with the others' {consent}."
        )
    named = [each.label for each in visible if each.noisiest is not None]
    if named and noisiest:
        yield (
            f"Only named as noisiest, in no order: points of {', '.join(named)}. How noisy they "
            f"are can be read {consent}."
        )
    elif named:
        yield (
            f"Any that are not named as noisiest: points of {', '.join(named)}. The most valuable "
            f"can be selected {consent}."
        )


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
        median = np.median(seller.scores)
        points += [
            SelectedPoint(
                seller.contribution_id,
                seller.label,
                int(point),
                float(seller.scores[point]),
                float(seller.scores[point] - median),
            )
            for point in np.flatnonzero(~is_inside(seller, cutoff))
        ]
    withheld = [seller.label for seller in visible if seller.scores is None]
    return PointSelection(tuple(points), tuple(withheld))


def is_inside(seller: VisibleScores, cutoff: float) -> NDArray[np.bool_]:
    """Return which points of a seller who discloses scores do not stand out from the others."""
    scores = np.zeros(0) if seller.scores is None else seller.scores
    try:
        spread = 0.0 if seller.spread is None else seller.spread
        return in_distribution(scores, spread=spread, cutoff=cutoff)
    except TransportError as error:
        error.add_note(f"in the scores of {seller.label}")
        raise


def _size(seller: VisibleScores, noisiest: bool) -> int:
    """Return the number of points of a seller that can be selected."""
    values = seller.scores if seller.scores is not None else seller.ranks
    if values is not None:
        return len(values)
    if seller.noisiest is None:
        return 0
    return seller.noisiest.points - (0 if noisiest else len(seller.noisiest.named))


def _share(seller: VisibleScores, count: int, noisiest: bool) -> Sequence[int] | NDArray[np.intp]:
    """Return `count` points of a seller who discloses ranks or noisiest points, and no scores."""
    if seller.ranks is not None:
        return _ends(-seller.ranks, count, noisiest)
    if seller.noisiest is None:
        return ()
    if noisiest:
        return seller.noisiest.named[:count]
    others = np.setdiff1d(np.arange(seller.noisiest.points), seller.noisiest.named)
    # Points may be sorted, so take them from everywhere.
    return others[np.arange(count) * len(others) // max(count, 1)]


def _ends(
    values: NDArray[np.float64] | NDArray[np.intp], count: int, highest: bool
) -> NDArray[np.intp]:
    """Return the indices of the highest or the lowest values, the most extreme first."""
    return highest_first(values if highest else -values)[:count]
