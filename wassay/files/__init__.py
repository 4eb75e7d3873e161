"""Points, and their classes, from the files that people keep them in.

Each format is a module of `wassay.files.formats`, which the registry finds there.
"""

from wassay.files.reading import read_labelled, read_points

__all__ = ["read_labelled", "read_points"]
