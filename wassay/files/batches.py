"""An open file, and its rows in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

Content: TypeAlias = "NDArray[Any] | pa.Table"
"""The content of a file: an array, or a table with named columns."""

BATCH_ROWS = 2**14
"""The largest number of rows in a batch."""


@dataclass(frozen=True)
class Source:
    """An open file that can seek.

    Attributes
    ----------
    file : BinaryIO
        The file, positioned at its first byte.
    path : Path or None
        The path of the file; None for content in memory, such as that of a pipe.
    """

    file: BinaryIO
    path: Path | None = None

    def native(self) -> pa.NativeFile:
        """Open the file for pyarrow: from the path or, without a path, from memory."""
        import pyarrow as pa

        # pyarrow does not get the Python file: if a thread of pyarrow used it at exit, the process
        # would abort.
        if self.path is not None:
            return pa.OSFile(str(self.path))
        self.file.seek(0)
        return pa.BufferReader(self.file.read())


@dataclass(frozen=True)
class Batches:
    """The rows of an open file, in batches.

    Attributes
    ----------
    parts : iterable of pyarrow.RecordBatch or ndarray
        The batches, each read when it is reached. They can be iterated over only once.
    join : callable
        Joins a list of batches into one table or array.
    columns : int
        The number of columns, or of values in a row of an array.
    rows : int or None
        The number of rows; None if the file's header does not tell.
    names : list of str, optional
        The names of the columns; None if the file has no names.
    """

    parts: Iterable[Any]
    join: Callable[[list[Any]], Content]
    columns: int
    rows: int | None = None
    names: list[str] | None = None

    @classmethod
    def of(cls, content: Content) -> Batches:
        """Return batches of a table or an array that is in memory."""
        if isinstance(content, np.ndarray):
            rows = len(content) if content.ndim else 1
            values = content.size // max(1, rows)
            return cls([content], lambda parts: joined(parts, content), values, rows)
        schema = content.schema
        return cls(
            content.to_batches(max_chunksize=BATCH_ROWS),
            lambda parts: table_of(parts, schema),
            content.num_columns,
            content.num_rows,
            content.column_names,
        )

    def take(self, numbers: NDArray[np.int64]) -> Content:
        """Read the rows with the given numbers, which must ascend."""
        return self.join(list(selected(self.parts, numbers)))


def joined(parts: list[NDArray[Any]], empty: NDArray[Any]) -> NDArray[Any]:
    """Concatenate arrays along their rows; if there are none, return `empty[:0]`."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else empty[:0]


def table_of(parts: list[Any], schema: Any) -> pa.Table:
    """Join record batches into one table."""
    import pyarrow as pa

    return pa.Table.from_batches(parts, schema)


def rows_in(part: Any) -> int:
    """Return the number of rows of a batch; an array without dimensions has one row."""
    return len(part) if not isinstance(part, np.ndarray) or part.ndim else 1


def selected(parts: Iterable[Any], numbers: NDArray[np.int64]) -> Iterator[Any]:
    """Yield, batch by batch, the rows with the given numbers, which must ascend."""
    start = 0
    for part in parts:
        end = start + rows_in(part)
        first, last = np.searchsorted(numbers, (start, end))
        if last > first:
            inside = numbers[first:last] - start
            yield part[inside] if isinstance(part, np.ndarray) else part.take(_indices(inside))
        start = end


def _indices(numbers: NDArray[np.int64]) -> Any:
    import pyarrow as pa

    # Avoid `pyarrow.array`, which imports pandas (30 MiB) to check whether it got a series.
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])
