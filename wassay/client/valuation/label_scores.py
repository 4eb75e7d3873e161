"""Scores of the labels of one seller's points, as far as they are disclosed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay import models
from wassay.client.shared.sent_rows import SentRows
from wassay.tabular import Columns, Tabular
from wassay.transport import highest_first


@dataclass(frozen=True, eq=False, repr=False)
class LabelScores(Tabular):
    """Scores of the labels of one seller's points; the highest are probably wrong.

    A score is minus the point's Shapley value for predicting the labels of the buyer's points by
    the 5 nearest points of the seller: along all coordinates, or along those directions in which
    the buyer's classes differ, whichever predicts better.

    Attributes
    ----------
    values : ndarray, shape (n,), or None
        For the buyer, those of the raw points. None if only ranks or the worst are disclosed.
    ranks : ndarray of int, shape (n,), or None
        0 is the highest score.
    worst : tuple of int
        The highest scores, in no order; empty if a party has few points. For a seller, rows of the
        table; for the buyer, numbers of points as they were sent (`Seller.table_rows` translates
        them).
    rows : ndarray of int, shape (n,), or None
        For a seller, the row of the table that each score is of, ascending.
    """

    values: NDArray[np.float64] | None
    ranks: NDArray[np.intp] | None
    worst: tuple[int, ...]
    rows: NDArray[np.int64] | None = None

    def to_dict(self) -> Columns:
        """Return one row for each point or, if only the worst are disclosed, for each of these.

        The column `row` has rows of a seller's own table; `point`, numbers of points as sent.

        Returns
        -------
        dict of str to list
        """
        number = "point" if self.rows is None else "row"
        if self.ranks is None:
            return {number: list(self.worst)}
        rows = range(len(self.ranks)) if self.rows is None else self.rows.tolist()
        return {
            number: list(rows),
            "score": [None] * len(self.ranks) if self.values is None else self.values.tolist(),
            "rank": self.ranks.tolist(),
        }

    @property
    def accuracy(self) -> float | None:
        """Of the seller's 5 points nearest to a point of the buyer, the mean share with its label.

        The scores sum to minus this. None if they are not disclosed.
        """
        return None if self.values is None else 0.0 - float(self.values.sum())

    def highest(self, count: int) -> list[int]:
        """Return the labels that are most probably wrong, by row or point, the worst first.

        Parameters
        ----------
        count : int
            How many; fewer if fewer are disclosed.

        Returns
        -------
        list of int
        """
        if self.ranks is not None:
            first = np.argsort(self.ranks)[:count]
            highest: list[int] = (first if self.rows is None else self.rows[first]).tolist()
            return highest
        return list(self.worst[:count])


def label_scores_at_push(
    read: models.LabelScores, t0: float | None, rows: SentRows | None = None
) -> LabelScores:
    """Interpolate scores of labels at t0, where they are those of the raw points.

    Interpolates linearly in ln(1 − s), the logarithm of the size of the seller's pushed cloud.
    Outside of the sweep, its nearest end is used.

    Parameters
    ----------
    read : wassay.models.LabelScores
    t0 : float or None
        None for a seller, who reads scores at one s.
    rows : SentRows, optional
        The row of a table that each point is: scores are then in the order of these.

    Returns
    -------
    LabelScores
    """
    values = None
    if read.values is not None:
        swept = np.array(read.values, dtype=np.float64)
        values = swept[0] if read.sweep is None or t0 is None else _at(t0, read.sweep, swept)
    # Ranks are of the s that the service chose; where there are scores at t0, those rank.
    shown = read.ranks if values is None else _ranks(values)
    ranks = None if shown is None else np.asarray(shown, dtype=np.intp)
    if rows is None:
        return LabelScores(values, ranks, tuple(read.noisiest))
    points = rows.points
    return LabelScores(
        None if values is None else values[points],
        None if ranks is None else ranks[points],
        tuple(sorted(set(rows.of_points(read.noisiest)))),
        rows.numbers[points],
    )


def _at(t0: float, sweep: Sequence[float], swept: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = -np.log1p(-np.array(sweep))
    at = float(np.clip(-np.log1p(-t0), sizes[0], sizes[-1]))
    after = int(np.clip(np.searchsorted(sizes, at), 1, len(sizes) - 1))
    share = (at - sizes[after - 1]) / (sizes[after] - sizes[after - 1])
    return np.asarray((1 - share) * swept[after - 1] + share * swept[after], dtype=np.float64)


def _ranks(values: NDArray[np.float64]) -> NDArray[np.intp]:
    ranks = np.empty(len(values), dtype=np.intp)
    ranks[highest_first(values)] = np.arange(len(values))
    return ranks
