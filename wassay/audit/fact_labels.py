"""Partition rows by fields of a table, for an attack to start its search from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wassay.audit.facts import Fact

Labels = NDArray[np.intp]

_FEWEST, _MOST = 3, 6
"""Number of groups."""

_MOST_HALVED = 8
"""Most fields of two groups that are combined by two."""


def labels_of(facts: Sequence[Fact]) -> tuple[Labels, ...]:
    """Return the partitions of the rows by fields of three to six values, and by pairs of two.

    Parameters
    ----------
    facts : sequence of Fact

    Returns
    -------
    tuple of ndarray of int, shape (n,)
        Groups are numbered from 0.
    """
    fields: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.is_yes_or_no:
            fields.setdefault(fact.field, []).append(fact)
    codes = [_coded(told) for told in fields.values()]
    several = [each for each in codes if _FEWEST <= each.max(initial=0) + 1 <= _MOST]
    halved = [each for each in codes if each.max(initial=0) == 1][:_MOST_HALVED]
    paired = (2 * first + second for first, second in combinations(halved, 2))
    return (*several, *(each for each in paired if len(np.unique(each)) == _FEWEST + 1))


def _coded(facts: Sequence[Fact]) -> Labels:
    """Number the rows by the fact that holds; those of which none holds come last."""
    holds = np.column_stack([fact.values == 1 for fact in facts])
    places = np.where(holds.any(axis=1), holds.argmax(axis=1), len(facts))
    return np.asarray(np.unique(places, return_inverse=True)[1], dtype=np.intp)
