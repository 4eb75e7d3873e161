"""Measure how well scores find the noisy points of data whose noisy points are known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.evaluation.plots import plot_detection
from wassay.errors import InvalidArgumentError
from wassay.transport import highest_first
from wassay.transport.scoring.ranking import SCORE_TOLERANCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class DetectionCurve:
    """Precision and recall when the points with the highest scores are inspected first.

    The curve is the mean over all orders of points with equal scores.

    Attributes
    ----------
    inspected : ndarray, shape (n,)
        The share of all points that are inspected: 1/n, 2/n, …, 1.
    recall : ndarray, shape (n,)
        The share of the noisy points that have been inspected, for each value of `inspected`.
    precision : ndarray, shape (n,)
        The share of the inspected points that are noisy, for each value of `inspected`.
    noisy : float
        The share of all points that are noisy, which is the precision of a random order.
    """

    inspected: NDArray[np.float64]
    recall: NDArray[np.float64]
    precision: NDArray[np.float64]
    noisy: float

    @classmethod
    def of(cls, scores: ArrayLike, truth: ArrayLike) -> DetectionCurve:
        """Compute precision and recall of scores, given which points are noisy.

        Parameters
        ----------
        scores : array_like, shape (n,)
            Higher for points that look more like noise, such as `Scores.values`.
        truth : array_like of bool, shape (n,)
            True for each noisy point; neither all True nor all False.

        Returns
        -------
        DetectionCurve

        Raises
        ------
        InvalidArgumentError
            If `truth` is not one boolean for each point, or all booleans are equal.
        """
        values = np.asarray(scores, dtype=np.float64)
        known = np.asarray(truth)
        if known.dtype != np.bool_ or known.shape != values.shape or values.ndim != 1:
            raise InvalidArgumentError(
                f"expected the truth as one boolean for each of {values.size} points, received "
                f"shape {known.shape} of {known.dtype}: pass an array that is True for noisy points"
            )
        count = int(known.sum())
        if count in {0, len(known)}:
            raise InvalidArgumentError(
                f"expected at least one noisy point and one other, received {count} noisy of "
                f"{len(known)} points: pass an array that is True for the noisy points only"
            )
        order = highest_first(values)
        found = np.cumsum(_averaged_over_ties(values[order], known[order]))
        number = np.arange(1, len(known) + 1)
        return cls(number / len(known), found / count, found / number, count / len(known))

    @property
    def auroc(self) -> float:
        """The probability that a noisy point is inspected before a point that is not noisy.

        For a random order this is ½.
        """
        recall = np.concatenate([[0.0], self.recall])
        others = (np.arange(len(recall)) - recall * self.noisy * len(self.recall)) / (
            len(self.recall) * (1 - self.noisy)
        )
        return float(np.trapezoid(recall, others))

    def at(self, share: float) -> tuple[float, float]:
        """Return precision and recall when a share of the points is inspected.

        Parameters
        ----------
        share : float
            From 1/n to 1; rounded down to a multiple of 1/n.

        Returns
        -------
        tuple of float
            Precision and recall.

        Raises
        ------
        InvalidArgumentError
            If `share` is less than 1/n or more than 1.
        """
        size = len(self.recall)
        number = int(np.floor(share * size + 1e-9)) if np.isfinite(share) else 0
        if not 1 <= number <= size:
            raise InvalidArgumentError(
                f"expected a share of {1 / size:.3g} to 1 of {size} points, received {share}"
            )
        return float(self.precision[number - 1]), float(self.recall[number - 1])

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plot precision and recall against the share of the points that are inspected.

        Parameters
        ----------
        path : path, optional
            Also save the plot to this file; the suffix chooses the format.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InvalidArgumentError
            If the suffix names no format of plots.
        PackageMissing
            If matplotlib is not installed; the extra `plot` installs it.
        """
        return plot_detection(self.inspected, self.recall, self.precision, self.noisy, path)


def _averaged_over_ties(
    ordered: NDArray[np.float64], truth: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the share of noisy points among all points with the same score, for each point.

    `ordered` has the sorted scores, and `truth` is true for noisy points, in the same order.
    """
    grain = SCORE_TOLERANCE * float(np.abs(ordered).max())
    begins = np.concatenate([[True], np.abs(np.diff(ordered)) > grain])
    tie = np.cumsum(begins) - 1
    means = np.bincount(tie, truth) / np.bincount(tie)
    return np.asarray(means[tie], dtype=np.float64)
