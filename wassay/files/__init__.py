"""Read points, their classes, and tables from files.

Each format is a module of `wassay.files.formats`; the registry finds it there.
"""

from wassay.files.reading import read_labelled, read_points, read_rows, read_table, read_weights

__all__ = ["read_labelled", "read_points", "read_rows", "read_table", "read_weights"]
