"""Read `.parquet` files, which pandas, R, Spark and DuckDB write."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wassay.files.batches import BATCH_ROWS, Batches, Source, selected, table_of
from wassay.files.errors import Unreadable
from wassay.files.extra import require_pyarrow

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Schema, Table
    from pyarrow.parquet import ParquetFile

SUFFIXES = (".parquet",)

_BUFFER_BYTES = 2**16
"""How many bytes of each column to read ahead, instead of a whole row group."""

_COLUMNS = 4
"""The number of columns to read at the same time for a sample.

Memory holds a page of each column, which is often a mebibyte."""

_NO_PARQUET = (
    "expected a complete Parquet file, received something else: write the table again, for "
    "instance with DataFrame.to_parquet"
)


def recognises(head: bytes) -> bool:
    """Tell whether a file that begins with these bytes is a Parquet file."""
    return head.startswith(b"PAR1")


@dataclass(frozen=True)
class ColumnBatches(Batches):
    """The batches of a file whose columns can be read separately."""

    file: "ParquetFile" = field(kw_only=True)
    schema: "Schema" = field(kw_only=True)

    def take(self, numbers: NDArray[np.int64]) -> "Table":
        """Read the rows with the given numbers, which must ascend, a few columns at a time."""
        import pyarrow as pa

        names = self.names or []
        # pyarrow takes a name with a dot for a nested field, and cannot select repeated names.
        if len(set(names)) < len(names) or any("." in name for name in names):
            return super().take(numbers)
        columns: list[pa.Array | pa.ChunkedArray] = []
        for start in range(0, len(names), _COLUMNS):
            some = names[start : start + _COLUMNS]
            parts = list(selected(_parts(self.file, some), numbers))
            for name in some:
                kind = self.schema.field(name).type
                chunks = pa.chunked_array([part.column(name) for part in parts], kind)
                # numpy can read a single chunk without copying it.
                columns.append(chunks.combine_chunks())
        pa.default_memory_pool().release_unused()
        return pa.table(columns, schema=self.schema)


def read(source: Source, class_column: str | None, only: str | None = None) -> Batches:
    """Open the table, and read its metadata; see `Format.read` for the parameters.

    `class_column` is not used, because the file states all types.

    Raises
    ------
    Unreadable
        If the file has another format, or is damaged.
    """
    require_pyarrow()
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        file = ParquetFile(source.native(), buffer_size=_BUFFER_BYTES, pre_buffer=False)
        schema = file.schema_arrow
    except (ArrowException, OSError, ValueError) as error:
        raise Unreadable(_NO_PARQUET) from error
    return ColumnBatches(
        _parts(file, None if only is None else [only]),
        lambda parts: table_of(parts, schema),
        len(schema),
        file.metadata.num_rows,
        schema.names,
        file=file,
        schema=schema,
    )


def _parts(file: "ParquetFile", columns: list[str] | None) -> "Iterator[RecordBatch]":
    from pyarrow import ArrowException

    try:
        for batch in file.iter_batches(BATCH_ROWS, columns=columns):
            batch.validate(full=True)
            yield batch
    except (ArrowException, OSError, ValueError) as error:
        raise Unreadable(_NO_PARQUET) from error
