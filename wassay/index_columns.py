"""Detect columns that name or number the rows of a table, and are not coordinates."""

import re

import numpy as np
from numpy.typing import NDArray

FEWEST_NUMBERED = 3
"""With fewer rows, the numbers 1 and 2 may well be data."""

# The empty name that pandas and R write; what pandas reads it back as; and pandas' name in Parquet.
_INDEX = re.compile(r"|Unnamed: \d+(\.\d+)*|__index_level_\d+__")


def names_rows(column: object) -> bool:
    """Whether pandas or R gives a column of row names this name."""
    return isinstance(column, str) and _INDEX.fullmatch(column.strip()) is not None


def numbers_rows(column: NDArray[np.float64]) -> bool:
    """Whether a column is 0, …, n − 1 or 1, …, n in this order."""
    size = len(column)
    if size < FEWEST_NUMBERED or column[0] not in (0, 1):
        return False
    return bool(np.array_equal(column, np.arange(size) + column[0]))
