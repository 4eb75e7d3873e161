"""Detect columns that name or number the rows of a table, and so are not coordinates."""

import re

import numpy as np
from numpy.typing import NDArray

# With fewer rows, values such as 1 and 2 may be data.
FEWEST_NUMBERED = 3
"""The fewest rows that can count as numbered."""

# The names of an index: empty in files that pandas and R write, `Unnamed: 0` when pandas reads such
# a file, and `__index_level_0__` in Parquet files that pandas writes.
_INDEX = re.compile(r"|Unnamed: \d+(\.\d+)*|__index_level_\d+__")


def names_rows(column: object) -> bool:
    """Tell whether `column` is a name that pandas or R gives to a column of row names."""
    return isinstance(column, str) and _INDEX.fullmatch(column.strip()) is not None


def numbers_rows(column: NDArray[np.float64]) -> bool:
    """Tell whether a column of n rows is 0, …, n − 1 or 1, …, n, in this order.

    False for fewer than `FEWEST_NUMBERED` rows.
    """
    size = len(column)
    if size < FEWEST_NUMBERED or column[0] not in (0, 1):
        return False
    return bool(np.array_equal(column, np.arange(size) + column[0]))
