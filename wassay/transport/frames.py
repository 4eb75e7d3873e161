"""Data frames given as points: their columns have names, and may name or number the rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.row_names import names_rows, numbers_rows
from wassay.transport.errors import InvalidMeasure


def require_no_row_names(frame: Any, points: NDArray[np.float64]) -> None:
    """Check the named columns of a frame, of pandas, Polars or Arrow; an array has none.

    Warns of a column that numbers the rows, which data could do too.

    Raises
    ------
    InvalidMeasure
        If a column names rows, as an index that was written to a file and read back does.
    """
    names = getattr(frame, "column_names", getattr(frame, "columns", None))
    if names is None:
        return
    for name, column in zip(names, points.T, strict=False):
        if names_rows(name):
            raise InvalidMeasure(
                f"points must have coordinates alone, got a frame whose column {name!r} names rows "
                "as an index does: leave it out (pandas.read_csv(…, index_col=0))"
            )
        if points.shape[1] > 1 and numbers_rows(column):
            warnings.warn(
                f"column {name!r} has the numbers {column[0]:g} to {column[-1]:g} of the rows, and "
                "is taken for a coordinate: leave it out if it is none",
                stacklevel=4,
            )
