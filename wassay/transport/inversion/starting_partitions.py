"""Divide rows into groups by k-means and by skewed axes, as starts of a search for groups."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Labels = NDArray[np.intp]

MOST_GROUPS = 6
"""The largest number of groups that are searched for."""

_LEAST_STARTS, _MOST_STARTS, _WORK = 4, 20, 200_000
"""Limits on the starts of k-means, and on starts × rows × axes."""

_MOST_STEPS, _SETTLED = 40, 0.003
"""k-means stops after this many steps, or after one that moves less than this share of the rows."""

_AXES, _SKEW_STEPS, _MOST_SKEWED = 96, 30, 16
"""Axes to start from, steps that improve each, and the most skewed axes to keep."""

_CLIP = 9.0
"""Squared coordinates count up to this in the skewness, so that no outlier decides it."""

_ONE_EACH = np.eye(MOST_GROUPS)
"""Column `g` marks the group `g`."""

_APART = 0.8
"""Of two skewed axes with a cosine above this, or two components that correlate more, one is kept.
"""


def least_gaussian(components: Matrix) -> Matrix:
    """Return the least Gaussian of the components, at most six, without near duplicates."""
    bells = np.abs(np.exp(-np.square(components) / 2).mean(axis=0) - math.sqrt(0.5))
    kept: list[int] = []
    for each in np.argsort(-bells, kind="stable").tolist():
        alike = components[:, each] @ components[:, kept] / len(components)
        if len(kept) < MOST_GROUPS and (np.abs(alike) < _APART).all():
            kept.append(each)
    return np.asarray(components[:, kept])


def skewed_axes(white: Matrix, random: np.random.Generator) -> Matrix:
    """Return axes along which coordinates are skewed upwards, as columns, the most skewed first."""
    rows = len(white)
    chosen = white[random.choice(rows, min(rows, _AXES // 2), replace=False)].T
    # Combinations of rows are as random as axes, and turn with the points: what is found depends
    # less on a secret rotation.
    axes = np.hstack([chosen, white.T @ random.normal(size=(rows, _AXES // 2))])
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


def by_means(
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
            labels = nearest_means(each, means)
            for _ in range(_MOST_STEPS):
                means, before = group_means(each, labels, means), labels
                labels = nearest_means(each, means)
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


def by_axes(along: Matrix, count: int, random: np.random.Generator) -> Iterator[Labels]:
    """Yield partitions into `count` groups: a row's group is the axis of its largest coordinate.

    `along` has coordinates along skewed axes, the most skewed first; too few axes yield nothing.
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


def nearest_means(points: Matrix, means: Matrix) -> Labels:
    # `add.reduce` is what `sum` calls. For so few means, what `sum` does besides takes longer.
    squares = np.add.reduce(np.square(means), axis=1)
    return np.asarray((squares - points @ (2 * means).T).argmin(axis=1))


def group_means(points: Matrix, labels: Labels, means: Matrix) -> Matrix:
    """Return the mean of each group's points, shape (groups, d).

    The mean of a group without points is taken from `means`.
    """
    sums = _ONE_EACH[: len(means)].take(labels, axis=1) @ points
    sizes = np.bincount(labels, minlength=len(means))[:, None]
    if np.count_nonzero(sizes) == len(means):
        return np.asarray(sums / sizes)
    return np.asarray(np.where(sizes > 0, sums / np.maximum(sizes, 1), means))
