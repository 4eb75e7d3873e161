"""Find sellers whose points are probably the same up to an isometry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from wassay.transport.anomalies.swept_contributions import Embedding

_EQUAL_RADII, _DISTINCT_RADII, _MIN_DISTINCT = 1e-5, 1e-4, 8
"""Two sellers are congruent if the sorted distances of their points from the mean agree to 1e-5.

At least 8 gaps between the distances must exceed 1e-4. Both are relative to the largest distance.
"""


def congruent_pairs(embeddings: Sequence[Embedding]) -> set[tuple[int, int]]:
    """Return the pairs of sellers whose points have the same distances from their means.

    Sellers with few different distances are left out, as are those with unknown distances.

    Parameters
    ----------
    embeddings : sequence of Embedding
        One of each seller.

    Returns
    -------
    set of (int, int)
        Indices i < j.
    """
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for index, each in enumerate(embeddings):
        if _has_distinct_radii(each):
            by_size[each.size].append(index)
    found = set()
    for indices in by_size.values():
        radii = np.array([embeddings[index].radii for index in indices])
        order = np.argsort(radii[:, -1], kind="stable")
        radii = radii[order]
        # Equal sellers have almost the same largest distance, so they are near in this order.
        ends = np.searchsorted(radii[:, -1], (1 + 2 * _EQUAL_RADII) * radii[:, -1], side="right")
        for place, end in enumerate(ends.tolist()):
            apart = np.abs(radii[place + 1 : end] - radii[place]).max(axis=1)
            for later in place + 1 + np.flatnonzero(apart <= _EQUAL_RADII * radii[place, -1]):
                one, other = sorted((indices[order[place]], indices[order[later]]))
                found.add((one, other))
    return found


def _has_distinct_radii(embedding: Embedding) -> bool:
    """Return whether enough of the points have different distances from their mean.

    Return False if the distances are unknown.
    """
    if embedding.radii is None:
        return False
    gaps = np.diff(embedding.radii) > _DISTINCT_RADII * float(embedding.radii[-1])
    return bool(np.count_nonzero(gaps) >= _MIN_DISTINCT)
