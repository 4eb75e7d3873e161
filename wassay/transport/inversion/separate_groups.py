"""Find three to six groups of rows that are separate in a few directions at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of

Matrix = NDArray[np.float64]
Labels = NDArray[np.intp]
_Found = tuple[Labels, Matrix, Matrix, float]
"""A partition, rows and means along its discriminants, and how far apart the means are."""

_GROUPS = (3, 4, 5, 6)
_ROWS_PER_AXIS, _FEWEST = 5, 8
"""Fewest rows for each axis, and in each group."""

_LEAST_STARTS, _MOST_STARTS, _WORK = 4, 20, 200_000
"""Limits on the starts of k-means, and on starts × rows × axes."""

_MOST_STEPS, _SETTLED = 40, 0.003
"""Most steps of k-means from each start; one that moves less than this share of rows is the last.
"""

_FIRST_ROUNDS, _ROUNDS, _STEPS = 2, 10, 5
"""Most rounds for each partition, most further rounds for each that is kept, and most steps of
k-means in a round."""

_TRIED, _KEPT = 8, 3
"""The numbers of partitions that are kept after the first rounds, and judged in the end."""

_AXES, _SKEW_STEPS, _MOST_SKEWED = 96, 30, 16
"""Axes to start from, steps that improve each, and the most skewed axes to keep."""

_CLIP = 9.0
"""Squared coordinates count up to this in the skewness, so that no outlier decides it."""

_APART = 0.8
"""Of skewed axes with a cosine above this, or components that correlate more, one is kept."""

_WITHIN = 0.6
"""The share of two groups' rows that count in a gap: those nearest to the line between the means.
"""

_BINS, _WIDTHS, _MIDDLE = 60, (0.08, 0.15), 0.3
_GRID = (np.arange(_BINS) + 0.5) / _BINS * 2 - 0.5
_KERNELS = [
    math.sqrt(2) * np.exp(-np.square((_GRID[:, None] - _GRID) / width) / 2) for width in _WIDTHS
]
"""Rows counted in bins, times a kernel, give a smooth density of rows along a line.

The line leads from one group's mean, at 0, to another's, at 1. The kernels are scaled so that a
density's variance by chance is its mean, as for a count of rows.
"""

_BY_CHANCE, _BY_CHANCE_AND_AXIS, _EMPTY = 1.8, 2.55, 0.4
"""Chance makes the fullest gap between k groups emptier than the peaks beside it by at most
1.8 + 2.55√d/k deviations, in d dimensions."""

_SAME = 0.9
"""Partitions are the same if, in this share of the rows, one determines the other."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Groups of rows, judged by the gaps between every two of them.

    Attributes
    ----------
    nearness : ndarray, shape (n, k)
        How near each row is to the mean of each group; larger is nearer. Minus the squared
        distance, plus a number that is the same for all groups.
    leading : ndarray, shape (n,)
        Each row's coordinate along the axis on which the groups are farthest apart.
    emptiness : float
        How empty the fullest gap between two groups is: 1 − g/p. Here g is the density of rows in
        the gap, and p is the lower of the density's peaks on both sides.
    beyond_chance : bool
        Whether chance does not explain the gaps, and `emptiness` is above 0.4.
    """

    nearness: Matrix
    leading: Matrix
    emptiness: float
    beyond_chance: bool

    @property
    def labels(self) -> Labels:
        """The group of each row."""
        return np.asarray(self.nearness.argmax(axis=1))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of rows in each group, ascending."""
        return tuple(sorted(np.bincount(self.labels, minlength=self.nearness.shape[1]).tolist()))

    @property
    def divisions(self) -> Matrix:
        """A column for each division of the k groups into two sides, shape (n, 2^(k−1) − 1).

        The first side contains group 0. An entry is the row's squared distance from the nearest
        mean of the second side, minus that of the first side.
        """
        first, *others = range(self.nearness.shape[1])
        sides = [
            [first, *chosen]
            for count in range(len(others))
            for chosen in combinations(others, count)
        ]
        nearest = [
            self.nearness[:, side].max(axis=1) - np.delete(self.nearness, side, axis=1).max(axis=1)
            for side in sides
        ]
        return np.column_stack(nearest)


def separate_groups(
    points: ArrayLike, components: ArrayLike, guesses: Iterable[Labels] = ()
) -> list[Partition]:
    """Find partitions of the rows into three to six groups with the emptiest gaps between them.

    A partition is judged by the fullest gap between two of its groups.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One row for each record, after an unknown invertible affine map.
    components : array_like, shape (n, c)
        Columns to start from, such as independent components.
    guesses : iterable of ndarray of int, shape (n,)
        Further partitions to start from, with groups numbered from 0. Partitions found from these
        are returned only if chance does not explain their gaps.

    Returns
    -------
    list of Partition
        At most one for each number of groups, the clearest first. Partitions not found from
        `guesses` are returned even if chance explains their gaps. Empty if the rows span only one
        dimension, or if there are fewer than 24 rows, or fewer than five for each dimension.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    if rank < 2 or rows < max(_ROWS_PER_AXIS * rank, _GROUPS[0] * _FEWEST):
        return []
    white = coordinates / np.sqrt(variances)
    random = np.random.default_rng(0)
    values = _least_gaussian(np.asarray(components, np.float64))
    skewed = _skewed_axes(white, random)
    guessed = list(guesses)
    found: list[tuple[float, Partition]] = []
    for count in _GROUPS:
        if rows < count * _FEWEST:
            break
        blind = [*_by_means(white, values, count, random), *_by_axes(white @ skewed, count, random)]
        alike = [labels for labels in guessed if labels.max() + 1 == count]
        chance = _BY_CHANCE + _BY_CHANCE_AND_AXIS * math.sqrt(rank) / count
        judged = [_judged(each, chance) for each in _best(white, blind, count)]
        judged += [
            (excess, partition)
            for excess, partition in (_judged(e, chance) for e in _best(white, alike, count))
            if partition.beyond_chance
        ]
        if judged:
            found.append(max(judged, key=lambda each: each[0]))
    found.sort(key=lambda each: -each[0])
    kept: list[Partition] = []
    for _, partition in found:
        if not (
            partition.beyond_chance and any(_same_partition(partition, other) for other in kept)
        ):
            kept.append(partition)
    return kept


def _least_gaussian(components: Matrix) -> Matrix:
    """Return the least Gaussian of the components, at most six, without near duplicates."""
    bells = np.abs(np.exp(-np.square(components) / 2).mean(axis=0) - math.sqrt(0.5))
    kept: list[int] = []
    for each in np.argsort(-bells, kind="stable").tolist():
        alike = components[:, each] @ components[:, kept] / len(components)
        if len(kept) < _GROUPS[-1] and (np.abs(alike) < _APART).all():
            kept.append(each)
    return np.asarray(components[:, kept])


def _skewed_axes(white: Matrix, random: np.random.Generator) -> Matrix:
    """Return axes along which coordinates are skewed to the positive side, as columns.

    The most skewed axis comes first.
    """
    rows, rank = white.shape
    chosen = white[random.choice(rows, min(rows, _AXES // 2), replace=False)].T
    axes = np.hstack([chosen, random.normal(size=(rank, _AXES // 2))])
    # The power method on the third moments. If groups are round, these axes lead to their means
    # (Anandkumar et al. 2014).
    for _ in range(_SKEW_STEPS):
        axes = white.T @ np.minimum(np.square(white @ axes), _CLIP)
        axes /= np.maximum(np.linalg.norm(axes, axis=0), np.finfo(np.float64).tiny)
    along = white @ axes
    skewness = (np.minimum(np.square(along), _CLIP) * along).mean(axis=0)
    kept: list[int] = []
    for each in np.argsort(-skewness, kind="stable").tolist():
        if len(kept) < _MOST_SKEWED and (axes[:, each] @ axes[:, kept] < _APART).all():
            kept.append(each)
    return np.asarray(axes[:, kept])


def _by_means(
    white: Matrix, components: Matrix, count: int, random: np.random.Generator
) -> Iterator[Labels]:
    """Yield partitions of the whitened rows into `count` groups, by k-means.

    Some use all coordinates, others only the first few of the `components`.
    """
    starts = min(_MOST_STARTS, max(_LEAST_STARTS, _WORK // white.size))
    sets = (white, components[:, : count - 1], components[:, :count])
    for each in sets if components.shape[1] else sets[:1]:
        for _ in range(starts):
            means = _spread_rows(each, count, random)
            labels = _nearest_means(each, means)
            for _ in range(_MOST_STEPS):
                means, before = _group_means(each, labels, means), labels
                labels = _nearest_means(each, means)
                if (labels != before).mean() < _SETTLED:
                    break
            yield labels


def _spread_rows(points: Matrix, count: int, random: np.random.Generator) -> Matrix:
    """Choose `count` rows that are far apart, as k-means++ does."""
    chosen = [points[random.integers(len(points))]]
    squares = np.full(len(points), np.inf)
    while len(chosen) < count:
        squares = np.minimum(squares, np.square(points - chosen[-1]).sum(axis=1))
        if not squares.any():  # there are fewer distinct rows than groups
            chosen.append(chosen[-1])
            continue
        chosen.append(points[random.choice(len(points), p=squares / squares.sum())])
    return np.array(chosen)


def _by_axes(along: Matrix, count: int, random: np.random.Generator) -> Iterator[Labels]:
    """Yield partitions into `count` groups, one group for each of `count` skewed axes.

    A row belongs to the axis along which it has the largest coordinate. `along` has the
    coordinates, the most skewed axis first.
    """
    axes = along.shape[1]
    if axes < count:
        return
    # The most skewed axes, then each axis with the most skewed or with random others.
    yield along[:, :count].argmax(axis=1)
    for first in range(axes):
        others = np.delete(np.arange(axes), first)
        chosen = others[: count - 1] if first % 2 else random.permutation(others)[: count - 1]
        yield along[:, [first, *chosen]].argmax(axis=1)


def _best(white: Matrix, starts: Sequence[Labels], count: int) -> list[_Found]:
    """Improve partitions into `count` groups, and return at most three of them.

    Those are returned whose groups' means are farthest apart. `starts` has the partitions to
    improve, and `white` the whitened rows.
    """
    found = _farthest(_improved(white, each, count, _FIRST_ROUNDS) for each in starts)
    improved = (_improved(white, each[0], count, _ROUNDS) for each in found[:_TRIED])
    return _farthest(improved)[:_KEPT]


def _farthest(found: Iterable[_Found | None]) -> list[_Found]:
    return sorted((each for each in found if each is not None), key=lambda each: -each[-1])


def _improved(white: Matrix, labels: Labels, count: int, rounds: int) -> _Found | None:
    """Improve a partition into `count` groups by at most `rounds` rounds.

    Return None if a group becomes too small.
    """
    # Project to the directions in which the groups' means differ most (Fisher's linear
    # discriminants); there, k-means moves rows to the nearest mean.
    for _ in range(rounds):
        sizes = np.bincount(labels, minlength=count)
        if sizes.min() < _FEWEST:
            return None
        means = _group_means(white, labels, np.zeros((count, white.shape[1])))
        shares = np.sqrt(sizes / len(white))[:, None]
        _, extents, axes = np.linalg.svd(means * shares, full_matrices=False)
        along, means = white @ axes[: count - 1].T, means @ axes[: count - 1].T
        before = labels
        for step in range(_STEPS):
            labels, last = _nearest_means(along, means), labels
            if step > 0 and (labels == last).all():
                break  # the means are already those of these groups
            means = _group_means(along, labels, means)
        if (labels == before).all():
            break
    if np.bincount(labels, minlength=count).min() < _FEWEST:
        return None
    return labels, along, means, float(np.square(extents).sum())


def _judged(found: _Found, chance: float) -> tuple[float, Partition]:
    """Judge the partition `found` by the gaps between every two of its groups.

    Return the lowest score of its gaps (see `_gap`) minus `chance`, and the partition. `chance`
    bounds the lowest score that a partition has by chance.
    """
    labels, along, means, _ = found
    gaps = [
        _gap(along, means[first], means[second], (labels == first) | (labels == second))
        for second in range(len(means))
        for first in range(second)
    ]
    score, emptiness = min(gap[0] for gap in gaps), min(gap[1] for gap in gaps)
    nearness = 2 * along @ means.T - np.square(means).sum(axis=1)
    beyond = score > chance and emptiness > _EMPTY
    return score - chance, Partition(nearness, along[:, 0], emptiness, beyond)


def _gap(
    along: Matrix, first: Matrix, second: Matrix, inside: NDArray[np.bool_]
) -> tuple[float, float]:
    """Return the score and the emptiness of the gap between two groups; 0 and 0 without a gap.

    The score is by how many deviations the gap is emptier than the peaks of density beside it.
    `along` has the coordinates of all rows, `first` and `second` are the means of the two groups,
    and `inside` marks the rows of either group.
    """
    length = float(np.linalg.norm(second - first))
    if not length > 0:
        return 0.0, 0.0
    places = (along - first) @ ((second - first) / length)
    across = np.square(along - first).sum(axis=1) - np.square(places)
    near = across <= np.quantile(across[inside], _WITHIN)
    bins = np.floor((places[near] / length + 0.5) * (_BINS / 2)).astype(np.intp)
    counts = np.bincount(bins[(bins >= 0) & (bins < _BINS)], minlength=_BINS)
    middle = np.abs(_GRID - 0.5) < _MIDDLE
    best, emptiness = 0.0, 0.0
    for kernel in _KERNELS:
        density = counts @ kernel
        left = np.maximum.accumulate(density)
        right = np.maximum.accumulate(density[::-1])[::-1]
        lower = np.minimum(left, right)
        # The density varies by chance like a count. Square roots of counts all have about the same
        # variance.
        differences = np.where(middle, 2 * (np.sqrt(lower) - np.sqrt(density)), 0.0)
        place = int(differences.argmax())
        if differences[place] > best:
            best, emptiness = float(differences[place]), float(1 - density[place] / lower[place])
    return best, emptiness


def _nearest_means(points: Matrix, means: Matrix) -> Labels:
    return np.asarray((np.square(means).sum(axis=1) - points @ (2 * means).T).argmin(axis=1))


def _group_means(points: Matrix, labels: Labels, means: Matrix) -> Matrix:
    """Return the mean of each group's points, shape (groups, d).

    A group without points keeps its mean in `means`.
    """
    marks = (labels[:, None] == np.arange(len(means))).astype(np.float64)
    sizes = np.bincount(labels, minlength=len(means))[:, None]
    return np.asarray(np.where(sizes > 0, marks.T @ points / np.maximum(sizes, 1), means))


def _same_partition(first: Partition, second: Partition) -> bool:
    """Return whether a row's group in one partition nearly always tells its group in the other."""
    shared = np.zeros((first.nearness.shape[1], second.nearness.shape[1]))
    np.add.at(shared, (first.labels, second.labels), 1)
    determined = max(shared.max(axis=0).sum(), shared.max(axis=1).sum())
    return bool(determined > _SAME * len(first.labels))
