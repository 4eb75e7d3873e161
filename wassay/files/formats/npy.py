"""Read `.npy`: one array, saved by numpy."""

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from wassay.files.errors import Unreadable

SUFFIXES = (".npy",)
_MAGIC = b"\x93NUMPY"


def recognises(head: bytes) -> bool:
    """Whether these are numpy's magic bytes."""
    return head.startswith(_MAGIC)


def read(file: BinaryIO, class_column: str | None) -> NDArray[Any]:
    """Read the array.

    Raises
    ------
    Unreadable
        If the file has another format, is truncated, holds Python objects, or a class column is
        requested.
    """
    if class_column is not None:
        raise Unreadable(
            "expected a table with a class column, received a .npy file: name a .npy file of "
            "classes instead (--classes)"
        )
    try:
        return np.lib.format.read_array(file, allow_pickle=False)
    except (ValueError, EOFError, MemoryError, OverflowError) as error:
        raise Unreadable(
            "expected a complete .npy file of numbers, received something else: save the array "
            "with numpy.save, without Python objects in it (dtype=float)"
        ) from error
