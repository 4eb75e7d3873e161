"""Scores of the labels of one seller's points, as far as the seller discloses them."""

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
    """Scores of the labels of one seller's points; labels with high scores are probably wrong.

    Attributes
    ----------
    values : ndarray, shape (n,), or None
        The score of each label; None if only ranks or the worst labels are disclosed. A buyer gets
        the scores at t0, which equal the scores of the raw points.
    ranks : ndarray of int, shape (n,), or None
        The rank of each score, from 0 for the highest; None if only the worst are disclosed.
    worst : tuple of int
        The points with the highest scores, ascending: rows of the table for a seller, numbers of
        points as sent for the buyer. Empty if the buyer or the seller has fewer than 10 points
        (counted as 1/Σp² for weights p).
    rows : ndarray of int, shape (n,), or None
        For a seller, the row of the table that each score belongs to, ascending. None for a buyer.

    Notes
    -----
    Each of the buyer's labels is predicted from the labels of the seller's nearest points. The
    score of a label is minus the Shapley value of its point for the accuracy of these predictions.
    `wassay.models.LabelScores` has the details.
    """

    values: NDArray[np.float64] | None
    ranks: NDArray[np.intp] | None
    worst: tuple[int, ...]
    rows: NDArray[np.int64] | None = None

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each disclosed point.

        Returns
        -------
        dict of str to list
            The column `row` for a seller, or `point` (numbered as sent) for a buyer. Then `score`
            and `rank`, unless only the worst labels are disclosed.
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
        """The accuracy of predicting the buyer's labels; None if scores are not disclosed."""
        # The Shapley values of all points sum to the accuracy.
        return None if self.values is None else 0.0 - float(self.values.sum())

    def highest(self, count: int) -> list[int]:
        """Return the points whose labels are most probably wrong, the highest score first.

        Parameters
        ----------
        count : int
            The largest number of points to return.

        Returns
        -------
        list of int
            For a seller, rows of the table; for a buyer, numbers of points as sent. If only the
            worst are disclosed, the order does not tell which score is higher.
        """
        if self.ranks is not None:
            first = np.argsort(self.ranks)[:count]
            highest: list[int] = (first if self.rows is None else self.rows[first]).tolist()
            return highest
        return list(self.worst[:count])


def label_scores_at_push(
    read: models.LabelScores, t0: float | None, rows: SentRows | None = None
) -> LabelScores:
    """Interpolate scores of labels at t0, where scores of pushed points equal those of raw points.

    Parameters
    ----------
    read : wassay.models.LabelScores
    t0 : float or None
        None for a seller, who reads scores at a single s.
    rows : SentRows, optional
        Which row of the table each point is. If given, scores are in the order of the table.

    Returns
    -------
    LabelScores
        If t0 is outside the range of the sweep, the scores at the nearest s. Without scores, the
        ranks or the worst labels as they were read.
    """
    values = None
    if read.values is not None:
        swept = np.array(read.values, dtype=np.float64)
        values = (
            swept[0] if read.sweep is None or t0 is None else _interpolate(t0, read.sweep, swept)
        )
    # The service ranks at an s of its choice. If there are scores at t0, rank by these instead.
    shown = read.ranks if values is None else _ranks(values)
    ranks = None if shown is None else np.asarray(shown, dtype=np.intp)
    if rows is None:
        return LabelScores(values, ranks, tuple(read.worst))
    points = rows.points_by_row
    return LabelScores(
        None if values is None else values[points],
        None if ranks is None else ranks[points],
        tuple(sorted(set(rows.of_points(read.worst)))),
        rows.numbers[points],
    )


def _interpolate(
    t0: float, sweep: Sequence[float], swept: NDArray[np.float64]
) -> NDArray[np.float64]:
    # Interpolate linearly in ln(1 − s): a push to s shrinks the seller's points by the factor 1 −
    # s.
    sizes = -np.log1p(-np.array(sweep))
    at = float(np.clip(-np.log1p(-t0), sizes[0], sizes[-1]))
    after = int(np.clip(np.searchsorted(sizes, at), 1, len(sizes) - 1))
    share = (at - sizes[after - 1]) / (sizes[after] - sizes[after - 1])
    return np.asarray((1 - share) * swept[after - 1] + share * swept[after], dtype=np.float64)


def _ranks(values: NDArray[np.float64]) -> NDArray[np.intp]:
    ranks = np.empty(len(values), dtype=np.intp)
    ranks[highest_first(values)] = np.arange(len(values))
    return ranks
