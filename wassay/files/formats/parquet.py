"""Read `.parquet`, as pandas, R, Spark and DuckDB write it."""

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
"""Bytes that are read ahead in each column, so that memory does not hold whole row groups."""

_COLUMNS = 4
"""Columns that a sample is drawn from at a time: memory holds a page of each, often a mebibyte."""

_NO_PARQUET = (
    "expected a complete Parquet file, received something else: write it again, for instance with "
    "DataFrame.to_parquet"
)


def recognises(head: bytes) -> bool:
    """Whether these are Parquet's magic bytes."""
    return head.startswith(b"PAR1")


@dataclass(frozen=True)
class ColumnBatches(Batches):
    """Batches of a file whose columns can be read one after the other."""

    file: "ParquetFile" = field(kw_only=True)
    schema: "Schema" = field(kw_only=True)

    def take(self, numbers: NDArray[np.int64]) -> "Table":
        """Read some rows, a few columns at a time."""
        import pyarrow as pa

        names = self.names or []
        # A dot in a name may mean a part of a column.
        if len(set(names)) < len(names) or any("." in name for name in names):
            return super().take(numbers)
        columns: list[pa.Array | pa.ChunkedArray] = []
        for start in range(0, len(names), _COLUMNS):
            some = names[start : start + _COLUMNS]
            parts = list(selected(_parts(self.file, some), numbers))
            for name in some:
                kind = self.schema.field(name).type
                chunks = pa.chunked_array([part.column(name) for part in parts], kind)
                columns.append(chunks.combine_chunks())  # numpy reads one piece without a copy
        pa.default_memory_pool().release_unused()
        return pa.table(columns, schema=self.schema)


def read(source: Source, class_column: str | None, only: str | None = None) -> Batches:
    """Open the table; only its metadata is read yet. The class column is treated like any other.

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
