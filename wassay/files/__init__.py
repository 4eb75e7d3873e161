"""Read points, classes and tables from files: all rows, or a sample of them.

Each file format is a module of `wassay.files.formats`, where the registry finds it.
"""

from wassay.files.reading import (
    points_of,
    read_labelled,
    read_points,
    read_rows,
    read_sample,
    read_table,
    read_weights,
)

__all__ = [
    "points_of",
    "read_labelled",
    "read_points",
    "read_rows",
    "read_sample",
    "read_table",
    "read_weights",
]
