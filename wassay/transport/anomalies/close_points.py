"""Find the sellers that may have coincident points, without comparing every two sellers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from wassay.transport.anomalies.coincidences import coincidence_reach

_MOST_CLOSE = 2**22
"""Limit on the pairs of close points to look at, which takes a second or two."""
_AT_ONCE = 2**20


def pairs_that_may_coincide(
    measures: Sequence[NDArray[np.float64]],
) -> set[tuple[int, int]] | None:
    """Return the pairs of measures that may have coincident points.

    For many small measures, this is much faster than `ProbedPoints.coincidences` for every pair.

    Parameters
    ----------
    measures : sequence of ndarray, shapes (n_i, c)
        The embeddings of each measure's points, with the same anchors (see `embed`).

    Returns
    -------
    set of (int, int) or None
        Indices i < j; no points of other pairs coincide. None if too many points are close to
        others.
    """
    owner = np.repeat(np.arange(len(measures)), [len(points) for points in measures])
    points = np.concatenate(measures)
    reach = np.concatenate([coincidence_reach(each) for each in measures])
    tree = cKDTree(points)
    ends = np.cumsum(tree.query_ball_point(points, reach, return_length=True))
    if ends[-1] > _MOST_CLOSE:
        return None
    found: set[tuple[int, int]] = set()
    parts = np.searchsorted(ends, np.arange(_AT_ONCE, ends[-1], _AT_ONCE))
    for rows in np.split(np.arange(len(points)), parts):
        close = tree.query_ball_point(points[rows], reach[rows])
        one = np.repeat(owner[rows], [len(each) for each in close])
        other = owner[np.concatenate([*close, []]).astype(np.intp)]
        pairs = np.column_stack([np.minimum(one, other), np.maximum(one, other)])[one != other]
        found.update((int(i), int(j)) for i, j in np.unique(pairs, axis=0))
    return found
