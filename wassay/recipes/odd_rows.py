"""Name the first of the rows that differ from what was expected, for messages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST_NAMED = 5
"""The most rows that a message names."""


def first_rows(odd: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return the numbers of the first rows that `odd` marks, at most five, counted from 0."""
    return tuple(np.flatnonzero(odd)[:MOST_NAMED].tolist())


def in_rows(rows: Sequence[int], count: int) -> str:
    """Return words such as "(rows 0, 3 and 5 more, counted from 0)" to append to a message.

    `rows` are the first of `count` rows; without any, the words are empty.
    """
    if not rows:
        return ""
    more = f" and {count - len(rows):,} more" if count > len(rows) else ""
    noun = "row" if count == 1 else "rows"
    return f" ({noun} {', '.join(map(str, rows))}{more}, counted from 0)"
