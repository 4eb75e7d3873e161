"""Select points by what each seller discloses: scores, ranks, or only the noisiest points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wassay.tabular import Columns, Tabular, records_to_columns
from wassay.transport import TransportError, highest_first, in_distribution

NUMBERED_AS_SENT = (
    "Points are numbered as they were sent. Each seller can tell which rows of their table these "
    "points are (Seller.table_rows, wassay rows)."
)


@dataclass(frozen=True)
class Noisiest:
    """The noisiest points of a seller who discloses neither scores nor ranks.

    Attributes
    ----------
    named : tuple of int
        The numbers of the noisiest points as sent, ascending.
    points : int
        The number of all points of the seller.
    """

    named: tuple[int, ...]
    points: int


@dataclass(frozen=True, eq=False)
class VisibleScores:
    """The scores, ranks or noisiest points that a seller discloses.

    One of `scores`, `ranks` and `noisiest` is set; none if the seller discloses nothing.

    Attributes
    ----------
    contribution_id, label : str
    scores : ndarray, shape (n,), or None
        The score of each point.
    spread : ndarray, shape (n,), or None
        The spread of each score; None if all spreads are 0.
    ranks : ndarray of int, shape (n,), or None
        The rank of each point, from 0 for the highest score.
    noisiest : Noisiest or None
        The noisiest points.
    points : int
        The number of the seller's points if the seller discloses nothing, otherwise 0.
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
    """A point that was selected from a seller's points.

    Attributes
    ----------
    contribution_id, label : str
        The id and the label of the contribution that the point belongs to.
    index : int
        The number of the point as sent; `Seller.table_rows` returns the row of the table.
    score : float or None
        The score at t0; None if the seller discloses no scores. For mislabelled points, the score
        of the class label, times the number of the seller's points.
    deviation : float or None
        How far the score is above the median of the seller's scores; None without a score.
    """

    contribution_id: str
    label: str
    index: int
    score: float | None
    deviation: float | None = None


@dataclass(frozen=True, repr=False)
class PointSelection(Tabular):
    """Points that were selected from all sellers who disclose enough; prints as a table.

    Attributes
    ----------
    points : tuple of SelectedPoint
        Points with scores come first: the most extreme first or, if outliers were selected, seller
        by seller. Points without scores follow, seller by seller.
    withheld : tuple of str
        The contributions' labels of sellers who disclose too little about scores to select points.
    advice : tuple of str
        Sentences about the sellers who disclose only ranks or the noisiest points.
    enough : "ranks" or "scores"
        The least that a seller must disclose (`SellerPrivacy.scores`) to have points selected.
    """

    points: tuple[SelectedPoint, ...]
    withheld: tuple[str, ...]
    advice: tuple[str, ...] = ()
    enough: Literal["ranks", "scores"] = "ranks"

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each selected point.

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
        """Return sentences on how points are numbered and selected, and on sellers in `withheld`.

        Returns
        -------
        list of str
        """
        ask = "'scores'" if self.enough == "scores" else "'ranks' or 'scores'"
        withheld = (
            [
                f"Withheld: {', '.join(self.withheld)}. Sellers choose what they show when "
                f"they answer (SellerPrivacy(scores=…), --scores): ask them for {ask}."
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
    """Select at most `count` points of all sellers: the noisiest, or the most valuable."""
    # Ranks of different sellers cannot be compared, so each seller without scores gets a share.
    sizes = [_selectable(seller, noisiest) for seller in visible]
    total = sum(sizes)
    ranked = [
        SelectedPoint(seller.contribution_id, seller.label, int(index), None)
        for seller, size in zip(visible, sizes, strict=True)
        if size
        for index in _unscored_points(seller, size * count // total, noisiest)
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
    # The noisiest points have the scores farthest above their seller's median, the most valuable
    # the lowest scores.
    order = _extremes(
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
    """Yield sentences on how points without scores were selected, and what scores would allow.

    `noisiest` is true if noisy points were selected, and false if valuable points were.
    """
    consent = (
        "if every seller of the evaluation shows scores" if len(visible) > 1 else "with scores"
    )
    ranked = [each.label for each in visible if each.ranks is not None]
    if ranked:
        yield (
            f"Selected by rank, in proportion to the number of points: points of "
            f"{', '.join(ranked)}. They can be compared with the others' points {consent}."
        )
    named = [each.label for each in visible if each.noisiest is not None]
    if named and noisiest:
        yield (
            f"Only named as noisiest, not by how noisy they are: points of {', '.join(named)}. You "
            f"can read how noisy these points are {consent}."
        )
    elif named:
        yield (
            f"Selected from the points that are not named as noisiest: points of "
            f"{', '.join(named)}. Their most valuable points can be selected {consent}."
        )


def select_outliers(visible: Sequence[VisibleScores], cutoff: float) -> PointSelection:
    """Select the points that `inside_mask` finds outside the buyer's distribution.

    `PointSelection.withheld` lists the sellers without scores.

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
            for point in np.flatnonzero(~inside_mask(seller, cutoff))
        ]
    # Neither ranks nor the noisiest points tell how far a point lies from the others.
    withheld = [seller.label for seller in visible if seller.scores is None]
    return PointSelection(tuple(points), tuple(withheld), enough="scores")


def inside_mask(seller: VisibleScores, cutoff: float) -> NDArray[np.bool_]:
    """Return which points of a seller are inside the buyer's distribution, judged by their scores.

    A score may exceed the median of the seller's scores by `cutoff` robust standard deviations.
    """
    scores = np.zeros(0) if seller.scores is None else seller.scores
    try:
        spread = 0.0 if seller.spread is None else seller.spread
        # Each score less half its spread is compared with the median of the scores, each plus half
        # its spread. This raises if there are no scores.
        return in_distribution(scores, spread=spread, cutoff=cutoff)
    except TransportError as error:
        error.add_note(f"in the scores of {seller.label}")
        raise


def _selectable(seller: VisibleScores, noisiest: bool) -> int:
    """Return how many of a seller's points can be selected; 0 if the seller discloses nothing.

    Points that a seller names as noisiest cannot be selected as valuable.
    """
    values = seller.scores if seller.scores is not None else seller.ranks
    if values is not None:
        return len(values)
    if seller.noisiest is None:
        return 0
    return seller.noisiest.points - (0 if noisiest else len(seller.noisiest.named))


def _unscored_points(
    seller: VisibleScores, count: int, noisiest: bool
) -> Sequence[int] | NDArray[np.intp]:
    """Select at most `count` points of a seller who discloses only ranks or the noisiest points.

    `noisiest` is true to select noisy points, and false to select valuable points.
    """
    if seller.ranks is not None:
        return _extremes(-seller.ranks, count, noisiest)
    if seller.noisiest is None:
        return ()
    if noisiest:
        return seller.noisiest.named[:count]
    # All points that are not named as noisiest count as valuable.
    others = np.setdiff1d(np.arange(seller.noisiest.points), seller.noisiest.named)
    # Sellers may send their points sorted, so take points from the whole range of numbers.
    return others[np.arange(count) * len(others) // max(count, 1)]


def _extremes(
    values: NDArray[np.float64] | NDArray[np.intp], count: int, highest: bool
) -> NDArray[np.intp]:
    """Return the indices of the `count` highest or lowest values, the most extreme first."""
    return highest_first(values if highest else -values)[:count]
