"""Find three to six groups of rows that are separate in a few directions at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.inversion.principal_components import axes_of
from wassay.transport.inversion.starting_partitions import (
    MOST_GROUPS,
    Labels,
    Matrix,
    by_axes,
    by_means,
    group_means,
    least_gaussian,
    nearest_means,
    skewed_axes,
)

_Found = tuple[Labels, Matrix, Matrix, float]
"""A partition's labels, coordinates of rows and of means, and how far apart the means are."""

_GROUPS = range(3, MOST_GROUPS + 1)
_PAIRS = {count: np.array(list(combinations(range(count), 2))) for count in _GROUPS}
"""Every two of so many groups."""

_ROWS_PER_AXIS, _FEWEST = 5, 8
"""Fewest rows for each axis, and in each group."""

_FIRST_ROUNDS, _ROUNDS, _STEPS = 2, 10, 5
"""Most rounds for each partition, most further rounds for each that is kept, and most steps of
k-means in a round."""

_KEPT = 8
"""The most partitions that are kept after the first rounds, and judged in the end."""

_LEAST_SWAPS, _MOST_SWAPS, _SWAP_WORK, _SWAP_ROUNDS = 10, 300, 3_000_000, 4
"""Limits on random swaps, and on swaps × rows × (axes + 16); and most rounds after each swap."""

_WITHIN = 0.6
"""The share of two groups' rows that count in a gap: those nearest to the line between the means.
"""

_BINS, _WIDTHS, _MIDDLE = 60, (0.08, 0.15), 0.3
_GRID = (np.arange(_BINS) + 0.5) / _BINS * 2 - 0.5
# `_GRID` has places on a line from one group's mean, at 0, to another's, at 1. The factor √2 makes
# a density's variance by chance equal to its mean, as for a count of rows.
_KERNELS = [
    math.sqrt(2) * np.exp(-np.square((_GRID[:, None] - _GRID) / width) / 2) for width in _WIDTHS
]
"""One kernel for each width: rows counted in bins, times a kernel, give a smooth density of rows.
"""

# Of 1071 normal and uniform clouds of 51 to 1,000 points in 2 to 32 dimensions, some with a skewed
# column, none had groups with such scores. More swaps than above need a higher threshold.
_BY_CHANCE, _LESS_BY_GROUP, _BY_CHANCE_AND_AXIS, _EMPTY = 3.2, 0.25, 1.8, 0.4
"""In d dimensions, k groups are beyond chance if the score of every gap (see `_gap`) exceeds 3.2 −
k/4 + 1.8√(d/k), and its emptiness 0.4."""

_SAME = 0.9
"""Two partitions are the same if one tells a row's group in the other for this share of the rows.
"""


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
        How empty the fullest gap between two groups is: 0 if it is as dense as the lower peak
        beside it, and 1 if it has no rows.
    beyond_chance : bool
        Whether every gap is emptier than chance explains, and `emptiness` is above 0.4.
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
        """A column for each division of the groups into two sides; group 0 is on the first side.

        An entry is the row's squared distance from the second side, minus that from the first side.
        A side's distance is that of its nearest mean.
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

    A partition is judged by the fullest gap between two of its groups. Partitions that are not
    found from `guesses` may be due to chance.

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
        At most one for each number of groups, the clearest first. Empty if the rows span only one
        dimension, or are too few: 24 are needed, and five for each dimension.
    """
    _, coordinates, variances = axes_of(points)
    rows, rank = coordinates.shape
    if rank < 2 or rows < max(_ROWS_PER_AXIS * rank, _GROUPS[0] * _FEWEST):
        return []
    white = coordinates / np.sqrt(variances)
    random = np.random.default_rng(0)
    values = least_gaussian(np.asarray(components, np.float64))
    skewed = skewed_axes(white, random)
    guessed = list(guesses)
    found: list[tuple[float, Partition]] = []
    for count in _GROUPS:
        if rows < count * _FEWEST:
            break
        blind = [*by_means(white, values, count, random), *by_axes(white @ skewed, count, random)]
        alike = [labels for labels in guessed if labels.max() + 1 == count]
        chance = _BY_CHANCE - _LESS_BY_GROUP * count + _BY_CHANCE_AND_AXIS * math.sqrt(rank / count)
        judged = [_judged(each, chance) for each in _best_by_swaps(white, blind, count, random)]
        judged += [
            (excess, partition)
            for excess, partition in (_judged(e, chance) for e in _best(white, alike, count))
            if partition.beyond_chance
        ]
        if judged:
            found.append(max(judged, key=lambda each: each[0]))
    # The partition into the most groups comes first. Others that join some of its groups tell no
    # more, even if their gaps are emptier.
    kept: list[tuple[float, Partition]] = []
    for excess, partition in reversed(found):
        certain = [other for _, other in kept if other.beyond_chance and partition.beyond_chance]
        if not any(_same_partition(partition, other) for other in certain):
            kept.append((excess, partition))
    return [partition for _, partition in sorted(kept, key=lambda each: -each[0])]


def _best(white: Matrix, starts: Sequence[Labels], count: int) -> list[_Found]:
    """Improve the partitions `starts`; return those whose groups' means are farthest apart.

    At most `_KEPT` are returned, the farthest first.
    """
    found = _farthest(_improved(white, each, count, _FIRST_ROUNDS) for each in starts)
    return _farthest(_improved(white, each[0], count, _ROUNDS) for each in found[:_KEPT])


def _best_by_swaps(
    white: Matrix, starts: Sequence[Labels], count: int, random: np.random.Generator
) -> list[_Found]:
    """Search like `_best`, then on by random swaps; return at most `_KEPT` + 1 partitions.

    The last one comes from swaps that raise `_lowest_score`.
    """
    best = _best(white, starts, count)
    if not best:
        return []
    # Swap from the partition whose means are farthest apart, then from the clearest.
    best = _farthest([*best, *_by_swaps(white, best[0], count, random, _extent)])[:_KEPT]
    clearest = max(best, key=_lowest_score)
    return [*best, _by_swaps(white, clearest, count, random, _lowest_score)[-1]]


def _by_swaps(
    white: Matrix,
    found: _Found,
    count: int,
    random: np.random.Generator,
    value: Callable[[_Found, float], float],
) -> list[_Found]:
    """Return `found` and better partitions, each reached from the one before by a random swap.

    A better partition has a higher `value`; the second argument of `value` is the highest so far.
    """
    # Starting anew would take many times as long to find partitions as good (Fränti 2018).
    rows, rank = white.shape
    swaps = min(_MOST_SWAPS, max(_LEAST_SWAPS, _SWAP_WORK // (rows * (rank + 16))))
    reached, best = [found], value(found, 0.0)
    for _ in range(swaps):
        _, along, means, _ = reached[-1]
        # A swap moves one mean to a random row, and then improves the partition.
        moved = means.copy()
        moved[random.integers(count)] = along[random.integers(len(along))]
        swapped = _improved(white, nearest_means(along, moved), count, _SWAP_ROUNDS)
        if swapped is not None and (raised := value(swapped, best)) > best:
            reached.append(swapped)
            best = raised
    return reached


def _extent(found: _Found, _: float = 0.0) -> float:
    """Return how far apart the groups' means are. The second argument is ignored."""
    return found[-1]


def _farthest(found: Iterable[_Found | None]) -> list[_Found]:
    """Return the distinct partitions without None, those whose groups are farthest apart first."""
    distinct = {round(each[-1], 9): each for each in found if each is not None}
    return [distinct[extent] for extent in sorted(distinct, reverse=True)]


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
        means = group_means(white, labels, np.zeros((count, white.shape[1])))
        shares = np.sqrt(sizes / len(white))[:, None]
        _, extents, axes = np.linalg.svd(means * shares, full_matrices=False)
        along, means = white @ axes[: count - 1].T, means @ axes[: count - 1].T
        before = labels
        for step in range(_STEPS):
            labels, last = nearest_means(along, means), labels
            if step > 0 and _same(labels, last):
                break  # the means are already those of these groups
            means = group_means(along, labels, means)
        if _same(labels, before):
            break
    if np.bincount(labels, minlength=count).min() < _FEWEST:
        return None
    return labels, along, means, float(np.square(extents).sum())


def _same(first: Labels, second: Labels) -> bool:
    # Some thousand times in a search; `(first == second).all()` takes ten times as long.
    return first.tobytes() == second.tobytes()


def _judged(found: _Found, chance: float) -> tuple[float, Partition]:
    """Judge a partition by its gaps; return the lowest score minus `chance`, and the `Partition`.

    By chance, the lowest score of a gap (see `_gap`) is at most `chance`.
    """
    _, along, means, _ = found
    gaps = list(_gaps(found))
    score, emptiness = min(gap[0] for gap in gaps), min(gap[1] for gap in gaps)
    nearness = 2 * along @ means.T - np.square(means).sum(axis=1)
    beyond = score > chance and emptiness > _EMPTY
    return score - chance, Partition(nearness, along[:, 0], emptiness, beyond)


def _lowest_score(found: _Found, least: float = 0.0) -> float:
    """Return the lowest score of the gaps between every two groups (see `_gap`).

    Return `least` instead if a score is not above it, or if a gap is not empty enough.
    """
    lowest = math.inf
    for score, emptiness in _gaps(found):
        if score <= least or emptiness <= _EMPTY:
            return least
        lowest = min(lowest, score)
    return lowest


def _gaps(found: _Found) -> Iterator[tuple[float, float]]:
    """Yield the score and the emptiness of each gap between two groups, nearest groups first."""
    labels, along, means, _ = found
    pairs = _PAIRS[len(means)]
    squares = np.square(means[pairs[:, 0]] - means[pairs[:, 1]]).sum(axis=1)
    for first, second in pairs[squares.argsort(kind="stable")].tolist():
        inside = (labels == first) | (labels == second)
        yield _gap(along, means[first], means[second], inside)


def _gap(
    along: Matrix, first: Matrix, second: Matrix, inside: NDArray[np.bool_]
) -> tuple[float, float]:
    """Return the score and the emptiness of the gap between two groups; 0 and 0 without a gap.

    `along` has the coordinates of all rows, and `inside` marks the rows of both groups. `first` and
    `second` are the groups' means.
    """
    length = float(np.linalg.norm(second - first))
    if not length > 0:
        return 0.0, 0.0
    places = (along - first) @ ((second - first) / length)
    across = np.square(along - first).sum(axis=1) - np.square(places)
    near = across <= _quantile(across[inside], _WITHIN)
    bins = np.floor((places[near] / length + 0.5) * (_BINS / 2)).astype(np.intp)
    counts = np.bincount(bins[(bins >= 0) & (bins < _BINS)], minlength=_BINS)
    middle = np.abs(_GRID - 0.5) < _MIDDLE
    best, emptiness = 0.0, 0.0
    for kernel in _KERNELS:
        density = counts @ kernel
        left = np.maximum.accumulate(density)
        right = np.maximum.accumulate(density[::-1])[::-1]
        lower = np.minimum(left, right)
        # The score: by how many deviations the gap is emptier than the lower peak beside it. The
        # density varies like a count, and square roots of counts all have about the same variance.
        differences = np.where(middle, 2 * (np.sqrt(lower) - np.sqrt(density)), 0.0)
        place = int(differences.argmax())
        if differences[place] > best:
            best, emptiness = float(differences[place]), float(1 - density[place] / lower[place])
    return best, emptiness


def _quantile(values: NDArray[np.float64], share: float) -> float:
    """Return what `np.quantile` does, which takes ten times as long for so few values."""
    place = share * (len(values) - 1)
    below = int(place)
    low, high = np.partition(values, (below, below + 1))[below : below + 2]
    return float(low + (high - low) * (place - below))


def _same_partition(first: Partition, second: Partition) -> bool:
    """Return whether a row's group in one partition nearly always tells its group in the other."""
    shared = np.zeros((first.nearness.shape[1], second.nearness.shape[1]))
    np.add.at(shared, (first.labels, second.labels), 1)
    determined = max(shared.max(axis=0).sum(), shared.max(axis=1).sum())
    return bool(determined > _SAME * len(first.labels))
