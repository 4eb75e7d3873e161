"""Read `.npy`: one array, saved by numpy."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.files.batches import BATCH_ROWS, Batches, Source, joined
from wassay.files.errors import Unreadable

SUFFIXES = (".npy",)
_MAGIC = b"\x93NUMPY"


def recognises(head: bytes) -> bool:
    """Whether these are numpy's magic bytes."""
    return head.startswith(_MAGIC)


def read(source: Source, class_column: str | None, only: str | None = None) -> Batches:
    """Open the array; nothing but its header is read yet.

    Raises
    ------
    Unreadable
        If the file has another format, is truncated, holds Python objects, or a column is
        requested.
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
