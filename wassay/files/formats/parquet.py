"""Read `.parquet`, as pandas, R, Spark and DuckDB write it."""

from typing import TYPE_CHECKING, BinaryIO

from wassay.files.errors import Unreadable
from wassay.files.extra import require_pyarrow

if TYPE_CHECKING:
    from pyarrow import Table

SUFFIXES = (".parquet",)


def recognises(head: bytes) -> bool:
    """Whether these are Parquet's magic bytes."""
    return head.startswith(b"PAR1")


def read(file: BinaryIO, class_column: str | None) -> "Table":
    """Read the table; the class column is treated like any other.

    Raises
    ------
    Unreadable
        If the file has another format, or is damaged.
    """
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import ArrowException, parquet

    try:
        # From memory: threads of pyarrow that still hold a Python file abort a process that exits.
        table = parquet.ParquetFile(pa.BufferReader(file.read())).read()
        table.validate(full=True)
    except (ArrowException, OSError, ValueError) as error:
        raise Unreadable(
            "expected a complete Parquet file, received something else: write it again, for "
            "instance with DataFrame.to_parquet"
        ) from error
    return table
