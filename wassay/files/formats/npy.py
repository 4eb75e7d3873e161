"""`.npy`: one matrix, as numpy saves it."""

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from wassay.files.errors import Unreadable

SUFFIXES = (".npy",)
_MAGIC = b"\x93NUMPY"


def recognises(head: bytes) -> bool:
    """True for numpy's magic bytes."""
    return head.startswith(_MAGIC)


def read(file: BinaryIO, class_column: str | None) -> NDArray[Any]:
    """Read the array.

    Raises
    ------
    Unreadable
        If it is something else, cut off, an array of Python objects, or a class column is asked
        for.
    """
    if class_column is not None:
        raise Unreadable(
            "a class column is one of a table, not of a .npy file: name a .npy file of classes "
            "instead (--classes)"
        )
    try:
        return np.lib.format.read_array(file, allow_pickle=False)
    except (ValueError, EOFError, MemoryError, OverflowError) as error:
        raise Unreadable(
            "expected a .npy file of numbers, whole, got something else: save the array with "
            "numpy.save, without Python objects in it (dtype=float)"
        ) from error
