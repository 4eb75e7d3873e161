"""Find, for each seller, the points that stand out from the seller's other points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wassay.client.valuation.point_selection import NUMBERED_AS_SENT, VisibleScores, inside_mask
from wassay.control_characters import escape_line
from wassay.models import ScoresShown
from wassay.table import change, table
from wassay.tabular import Columns, Tabular, records_to_columns
from wassay.transport import highest_first
from wassay.unique_labels import unique_labels

RANKED_SHARE = 10
"""For a seller who shows ranks, one point in this many is listed."""
MOST_LISTED = 12
"""The largest number of points of a seller to print."""


@dataclass(frozen=True)
class SellerNoise:
    """The points of one seller that stand out from the seller's other points.

    Attributes
    ----------
    contribution_id, label : str
    shown : {'none', 'noisiest', 'ranks', 'scores'}
        What the buyer may read of the scores of these points.
    points : int
        The number of all points of the seller.
    noisy : tuple of int
        The numbers of the points that stand out, as sent. With scores or ranks, the noisiest comes
        first; otherwise the numbers ascend.
    deviations : tuple of float or None
        How far the score of each point of `noisy` is above the median of the seller's scores; None
        without scores.
    offset : float or None
        The median of the seller's scores minus the median of all shown scores; None without scores.
        Positive if the seller as a whole raises the distance more than the others do.

    Notes
    -----
    With scores, the points far above the median of the seller's scores stand out. With ranks, the
    noisiest 10 % of the points do. Otherwise, the points named as noisiest do.
    """

    contribution_id: str
    label: str
    shown: ScoresShown
    points: int
    noisy: tuple[int, ...]
    deviations: tuple[float, ...] | None = None
    offset: float | None = None

    @property
    def explanation(self) -> str:
        """How the points of `noisy` were found; without scores, also what is missing."""
        match self.shown:
            case "scores":
                return f"{len(self.noisy)} of {self.points} points stand out from the others."
            case "ranks":
                return (
                    "Only ranks are shown: these points are the noisiest tenth. Only scores would "
                    "tell whether they stand out."
                )
            case "noisiest":
                return (
                    "The noisiest points are named, but not how noisy they are. If every seller "
                    "showed scores, you could read how far these points stand out, but you could "
                    "also compute raw records from scores: sellers must allow that with "
                    "max_disclosure='exact'."
                )
            case "none":
                return (
                    'Nothing is shown. Ask the seller to answer with scores="ranks", which names '
                    "the noisiest unless a party has too few points."
                )


@dataclass(frozen=True, repr=False)
class Noise(Tabular):
    """The points that stand out from their seller's other points; prints as a table.

    Attributes
    ----------
    sellers : tuple of SellerNoise
        In the order of `wassay.models.Result.sellers`.
    """

    sellers: tuple[SellerNoise, ...]

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each point that stands out.

        Returns
        -------
        dict of str to list
        """
        rows = [
            {
                "seller": each.label,
                "contribution_id": each.contribution_id,
                "point": point,
                "deviation": None if each.deviations is None else each.deviations[index],
                "shown": each.shown,
            }
            for each in self.sellers
            for index, point in enumerate(each.noisy)
        ]
        return records_to_columns(rows)

    def notes(self) -> list[str]:
        """Return a sentence on how points are numbered, and the explanation for each seller.

        Returns
        -------
        list of str
        """
        names = unique_labels({each.contribution_id: each.label for each in self.sellers})
        said = [f"{names[each.contribution_id]}: {each.explanation}" for each in self.sellers]
        return [*([NUMBERED_AS_SENT] if any(each.noisy for each in self.sellers) else []), *said]

    def of(self, contribution_id: str) -> list[int]:
        """Return the points of one contribution that stand out, ascending."""
        return sorted(
            point
            for seller in self.sellers
            if seller.contribution_id == contribution_id
            for point in seller.noisy
        )

    def __str__(self) -> str:
        names = unique_labels({each.contribution_id: each.label for each in self.sellers})
        rows = [
            (
                names[each.contribution_id],
                str(each.points),
                "" if each.offset is None else change(each.offset),
                _listed(each.noisy),
            )
            for each in self.sellers
        ]
        notes = map(escape_line, self.notes())
        return "\n".join([table(("seller", "points", "offset", "noisy points"), rows), *notes])


def noise_of(visible: Sequence[VisibleScores], cutoff: float) -> Noise:
    """Find the points of each seller that stand out from the seller's other points.

    Points with scores stand out if `inside_mask` is false for them.

    Raises
    ------
    TransportError
        If the cutoff is not positive, or a score is not finite.
    """
    shown = [each.scores for each in visible if each.scores is not None]
    centre = float(np.median(np.concatenate(shown))) if shown else 0.0
    return Noise(tuple(_noise_of(each, cutoff, centre) for each in visible))


def _noise_of(seller: VisibleScores, cutoff: float, centre: float) -> SellerNoise:
    name, label = seller.contribution_id, seller.label
    if seller.scores is not None:
        median = float(np.median(seller.scores))
        outside = ~inside_mask(seller, cutoff)
        points = [int(point) for point in highest_first(seller.scores) if outside[point]]
        return SellerNoise(
            name,
            label,
            "scores",
            len(seller.scores),
            tuple(points),
            tuple(float(seller.scores[point]) - median for point in points),
            median - centre,
        )
    if seller.ranks is not None:
        count = -(-len(seller.ranks) // RANKED_SHARE)
        ranked = np.argsort(seller.ranks, kind="stable")[:count]
        return SellerNoise(name, label, "ranks", len(seller.ranks), tuple(map(int, ranked)))
    if seller.noisiest is not None:
        return SellerNoise(name, label, "noisiest", seller.noisiest.points, seller.noisiest.named)
    return SellerNoise(name, label, "none", seller.points, ())


def _listed(points: Sequence[int]) -> str:
    listed = ", ".join(map(str, points[:MOST_LISTED]))
    return listed + (f" and {len(points) - MOST_LISTED} more" if len(points) > MOST_LISTED else "")
