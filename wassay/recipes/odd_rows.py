"""Name the rows in which values are odd, without listing all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST_NAMED = 5
"""How many rows are named."""


def first_rows(odd: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return the numbers of the first odd rows, from 0."""
    return tuple(np.flatnonzero(odd)[:MOST_NAMED].tolist())


def in_rows(rows: Sequence[int], count: int) -> str:
    """Name the first odd rows and count the others, as words in brackets."""
    if not rows:
        return ""
    more = f" and {count - len(rows):,} more" if count > len(rows) else ""
    noun = "row" if count == 1 else "rows"
    return f" ({noun} {', '.join(map(str, rows))}{more}, counted from 0)"
