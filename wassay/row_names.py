"""Columns that name or number the rows of a table, and are no coordinates."""

import re

import numpy as np
from numpy.typing import NDArray

FEWEST_NUMBERED = 3
"""Of fewer rows, the numbers 1 and 2 may as well be data."""

# No name, as pandas and R write it; as pandas reads that back, again and again; and in Parquet.
_INDEX = re.compile(r"|Unnamed: \d+(\.\d+)*|__index_level_\d+__")


def names_rows(column: object) -> bool:
    """True for the names that pandas and R give to a column with the names of rows."""
    return isinstance(column, str) and _INDEX.fullmatch(column.strip()) is not None


def numbers_rows(column: NDArray[np.float64]) -> bool:
    """True for the numbers 0 … n − 1 or 1 … n in this order, which hardly any data are."""
    size = len(column)
    if size < FEWEST_NUMBERED or column[0] not in (0, 1):
        return False
    return bool(np.array_equal(column, np.arange(size) + column[0]))
