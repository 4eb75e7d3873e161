"""Partition rows by fields of their table; attacks start a search from these partitions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wassay.audit.facts import Fact

Labels = NDArray[np.intp]

_FEWEST, _MOST = 3, 6
"""Rows are partitioned by fields that have three to six values."""

_MOST_HALVED = 8
"""At most this many two-valued fields are combined in pairs."""


def labels_of(facts: Sequence[Fact]) -> tuple[Labels, ...]:
    """Partition rows by fields with three to six values, and by pairs of fields with two values.

    This uses only yes-or-no facts.

    Parameters
    ----------
    facts : sequence of Fact

    Returns
    -------
    tuple of ndarray of int, shape (n,)
        For each partition, the group of each row, from 0.
    """
    fields: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.is_yes_or_no:
            fields.setdefault(fact.field, []).append(fact)
    codes = [_numbered(told) for told in fields.values()]
    several = [each for each in codes if _FEWEST <= each.max(initial=0) + 1 <= _MOST]
    halved = [each for each in codes if each.max(initial=0) == 1][:_MOST_HALVED]
    paired = (2 * first + second for first, second in combinations(halved, 2))
    # A pair of fields is used only if all four combinations of their values occur.
    return (*several, *(each for each in paired if len(np.unique(each)) == _FEWEST + 1))


def _numbered(facts: Sequence[Fact]) -> Labels:
    """Group the rows by the first fact that holds for a row, and return each row's group.

    Rows for which no fact holds form the last group.
    """
    holds = np.column_stack([fact.values == 1 for fact in facts])
    places = np.where(holds.any(axis=1), holds.argmax(axis=1), len(facts))
    return np.asarray(np.unique(places, return_inverse=True)[1], dtype=np.intp)
