"""Find well separated clusters among the points of both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Labels = NDArray[np.intp]

SAMPLE_SIZE = 2048
"""The most points, of both sides together, among which centres are chosen."""

SAMPLE_ENTRIES, MIN_SAMPLE_SIZE = 2**20, 512
"""A sample of more than 512 points has at most 2²⁰ coordinates in total."""

MAX_CLUSTERS = 128
"""Limit on the number of clusters."""

POINTS_PER_CLUSTER = 16
"""There is at most one cluster per this many sampled points."""

MIN_DROP = 1.2
"""The least drop of well separated clusters.

The drop is the last centre's distance from the centres before it, divided by the next point's
distance from all centres.
"""

SMALL_DROP, TRIED = 1.03, 3
"""If no drop reaches `MIN_DROP`, the largest three of at least 1.03 are tried.

Clusters must then be far apart.
"""

MIN_MARGIN, SHARE_BELOW_MARGIN = 0.2, 0.05
"""Clusters are far apart if at most 5 % of the points have a margin below 0.2.

The margin of a point is 1 at its own centre, and 0 half-way to another centre.
"""

MAX_DIMENSION = 64
"""Points of more dimensions are projected before centres are chosen among them."""

ROUNDING = 1e-7
"""Distances below this share of the largest one count as zero."""

MAX_SPREAD = 0.5
"""The variance of points around their centres may be at most this share of the total variance."""

MAX_CONCENTRATION = 0.5
"""Limit on the sum of the clusters' squared shares, so that no cluster has nearly all points."""

MAX_GROUPS, PAIRS_OF_GROUP = 8, 2**19
"""Clusters are divided into up to eight groups of at least half a million pairs each."""

_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Clusters:
    """Clusters of the points of both sides.

    Attributes
    ----------
    centres : ndarray, shape (k, d)
        In the coordinates of the points. Clusters found from costs have coordinates of their own.
    row_labels, column_labels : ndarray of int, shapes (n,) and (m,)
        The cluster of each point.
    """

    centres: Points
    row_labels: Labels
    column_labels: Labels

    @property
    def number(self) -> int:
        """Number of clusters."""
        return len(self.centres)

    @property
    def row_starts(self) -> NDArray[np.intp]:
        """The first row of each cluster; the last entry is the number of rows.

        Valid if the row labels ascend.
        """
        return np.searchsorted(self.row_labels, np.arange(self.number + 1))

    @property
    def column_starts(self) -> NDArray[np.intp]:
        """The first column of each cluster; the last entry is the number of columns.

        Valid if the column labels ascend.
        """
        return np.searchsorted(self.column_labels, np.arange(self.number + 1))

    def groups(self, pairs: int) -> list[tuple[int, int]]:
        """Divide the clusters into groups with about equal numbers of rows, for several threads.

        Parameters
        ----------
        pairs : int
            Number of pairs to read; few pairs make one group.

        Returns
        -------
        list of tuple of int
            The first cluster of each group, and the one after its last.
        """
        number = max(1, min(MAX_GROUPS, pairs // PAIRS_OF_GROUP))
        starts = self.row_starts
        ends = np.searchsorted(starts, np.linspace(0, starts[-1], number + 1))
        ends[-1] = self.number
        return [group for group in pairwise(map(int, ends)) if group[0] < group[1]]

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Clusters:
        """Return the clusters of some of the points."""
        return Clusters(self.centres, self.row_labels[rows], self.column_labels[columns])


def find_clusters(rows: Points, columns: Points) -> Clusters | None:
    """Find clusters of the points of both sides; return None if they are not well separated.

    Parameters
    ----------
    rows, columns : ndarray, shapes (n, d) and (m, d)

    Returns
    -------
    Clusters or None
    """
    centres = separated_centres(np.concatenate([_subsample(rows), _subsample(columns)]))
    if centres is None:
        return None
    return Clusters(centres, nearest_centres(rows, centres), nearest_centres(columns, centres))


def separated_centres(sample: Points, *, must_be_far_apart: bool = False) -> Points | None:
    """Return the centres of clusters in a sample, or None if the clusters are not well separated.

    Parameters
    ----------
    sample : ndarray, shape (n, d)
    must_be_far_apart : bool
        Whether clusters are accepted only if they are far apart (see `MIN_MARGIN`). If false,
        clusters that reach `MIN_DROP` are accepted, too.

    Returns
    -------
    ndarray, shape (k, d), or None
    """
    # Two steps of k-means lead from each guess to centres.
    for centres, drop in _guessed_centres(sample):
        for _ in range(2):
            labels = nearest_centres(sample, centres)
            centres = _means(sample, labels, len(centres))
        large = drop >= MIN_DROP and not must_be_far_apart
        if _are_concentrated(sample, centres, labels) and (
            large or _are_far_apart(sample, centres)
        ):
            return centres
    return None


def _are_concentrated(sample: Points, centres: Points, labels: Labels) -> bool:
    """Whether points are near their centres, and no cluster has nearly all of them."""
    within = np.square(sample - centres[labels]).sum()
    shares = np.bincount(labels) / len(sample)
    return bool(
        within <= MAX_SPREAD * np.square(sample - sample.mean(axis=0)).sum()
        and np.square(shares).sum() <= MAX_CONCENTRATION
    )


def _are_far_apart(sample: Points, centres: Points) -> bool:
    """Whether few points lie near the middle between two centres."""
    points, centres = sample - sample.mean(axis=0), centres - sample.mean(axis=0)
    norms = np.square(centres).sum(axis=1)
    every, distances = np.arange(len(points)), norms - 2 * points @ centres.T
    own = distances.argmin(axis=1)
    farther = distances - distances[every, own][:, None]
    between = norms[:, None] + norms - 2 * centres @ centres.T
    np.fill_diagonal(between, 0)
    # The margin is the difference of a point's squared distances from another centre and from its
    # own, divided by the squared distance between the two centres.
    farther[every, own] = np.inf
    margins = (farther / np.maximum(between, ROUNDING * norms.max())[own]).min(axis=1)
    return bool(np.quantile(margins, SHARE_BELOW_MARGIN) >= MIN_MARGIN)


def nearest_centres(points: Points, centres: Points) -> Labels:
    """Return the index of the nearest centre of every point."""
    origin = centres.mean(axis=0)
    centres = centres - origin
    half_norms = np.square(centres).sum(axis=1) / 2
    labels: Labels = ((points - origin) @ centres.T - half_norms).argmax(axis=1)
    return labels


def _subsample(points: Points) -> Points:
    """Return one side's part of the sample: some of the side's points, at equal steps."""
    bounded = max(MIN_SAMPLE_SIZE, min(SAMPLE_SIZE, SAMPLE_ENTRIES // points.shape[1]))
    number = min(len(points), bounded // 2)
    return points[np.linspace(0, len(points) - 1, number).astype(np.intp)]


def _guessed_centres(sample: Points) -> Iterator[tuple[Points, float]]:
    """Yield guesses of the clusters: one point of each, shape (k, d), and their drop.

    The drop tells how clearly the clusters are separated (see `MIN_DROP`).
    """
    from wassay.transport.solvers.clusters.farthest_points import farthest_points

    limit = max(1, min(MAX_CLUSTERS, len(sample) // POINTS_PER_CLUSTER))
    points = _in_few_dimensions(sample - sample.mean(axis=0))
    coordinates = np.ascontiguousarray((points / max(np.abs(points).max(), _TINY)).T, np.float32)
    # Each point is the farthest from those before it. Once every cluster has a point, the distance
    # of the next one drops (Gonzalez, Clustering to minimize the maximum intercluster distance,
    # 1985).
    chosen, reached = farthest_points(coordinates, limit, np.float32(ROUNDING))
    drops = reached[:-1] / np.maximum(reached[1:], reached[0] * ROUNDING)
    tried = 1 if drops.max(initial=0.0) >= MIN_DROP else TRIED
    for last in np.argsort(-drops, kind="stable")[:tried]:
        if drops[last] >= SMALL_DROP:
            yield sample[chosen[: int(last) + 2]], float(drops[last])


def _in_few_dimensions(points: Points) -> Points:
    """Project points by a fixed random matrix that nearly keeps the ratios of distances."""
    dimension = points.shape[1]
    if dimension <= MAX_DIMENSION:
        return points
    directions = np.random.default_rng(0).normal(size=(dimension, MAX_DIMENSION))
    return points @ directions


def _means(points: Points, labels: Labels, number: int) -> Points:
    belongs = (labels == np.arange(number)[:, None]).astype(np.float64)
    means: Points = belongs @ points / np.maximum(belongs.sum(axis=1), 1)[:, None]
    return means
