"""Read points, their classes, and tables from files, whole or a sample of their rows.

Each format is a module of `wassay.files.formats`; the registry finds it there.
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
