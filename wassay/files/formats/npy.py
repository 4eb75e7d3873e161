"""Read `.npy` files: arrays that numpy saved."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.files.batches import BATCH_ROWS, Batches, Source, joined
from wassay.files.errors import Unreadable

SUFFIXES = (".npy",)
_MAGIC = b"\x93NUMPY"


def recognises(head: bytes) -> bool:
    """Tell whether a file that begins with these bytes is a `.npy` file."""
    return head.startswith(_MAGIC)


def read(source: Source, class_column: str | None, only: str | None = None) -> Batches:
    """Open the array; see `Format.read` for the parameters.

    If the file has a path, only its header is read now.

    Raises
    ------
    Unreadable
        If the file has another format, is truncated or contains Python objects, or `class_column`
        or `only` is given.
    """
    if class_column is not None or only is not None:
        raise Unreadable(
            "expected a table with a class column, received a .npy file: name a .npy file of "
            "classes instead (--classes)"
        )
    try:
        if source.path is None:
            return Batches.of(np.lib.format.read_array(source.file, allow_pickle=False))
        array = np.lib.format.open_memmap(source.path, mode="r")
    except (ValueError, EOFError, MemoryError, OverflowError) as error:
        raise Unreadable(
            "expected a complete .npy file of numbers, received something else: save the array "
            "with numpy.save, without Python objects in it (dtype=float)"
        ) from error
    if array.ndim == 0:
        return Batches.of(np.array(array))
    values = int(np.prod(array.shape[1:], dtype=object))
    return Batches(_parts(array), lambda parts: joined(parts, array), values, len(array))


def _parts(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    for start in range(0, len(array), BATCH_ROWS):
        yield np.array(array[start : start + BATCH_ROWS])
