"""Refuse data frames with a column that names their rows: that column is no coordinate."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.index_columns import names_rows, numbers_rows
from wassay.transport.errors import InvalidMeasure


def require_no_row_names(frame: Any, points: NDArray[np.float64]) -> None:
    """Raise if a column of a pandas, Polars or Arrow frame holds row names.

    If there are several columns, warn of each whose values number the rows.

    Parameters
    ----------
    frame : Any
        What the caller gave as points.
    points : ndarray, shape (n, d)
        The values of `frame`.

    Raises
    ------
    InvalidMeasure
        If a column has a name that pandas or R gives to row names, such as ``Unnamed: 0``.
    """
    names = getattr(frame, "column_names", getattr(frame, "columns", None))
    if names is None:
        return
    for name, column in zip(names, points.T, strict=False):
        if names_rows(name):
            raise InvalidMeasure(
                f"expected only columns of coordinates, received {name!r}, which names the rows: "
                "leave it out (pandas.read_csv(…, index_col=0))"
            )
        if points.shape[1] > 1 and numbers_rows(column):
            warnings.warn(
                f"column {name!r} numbers the rows from {column[0]:g} to {column[-1]:g} and is "
                "used as a coordinate: leave it out if it is none",
                stacklevel=4,
            )
