"""`.parquet`: a table, as pandas, R, Spark and DuckDB write it."""

from typing import TYPE_CHECKING, BinaryIO

from wassay.files.errors import Unreadable
from wassay.files.extra import require_pyarrow

if TYPE_CHECKING:
    from pyarrow import Table

SUFFIXES = (".parquet",)


def recognises(head: bytes) -> bool:
    """True for the magic bytes."""
    return head.startswith(b"PAR1")


def read(file: BinaryIO, class_column: str | None) -> "Table":
    """Read the table; which column has the classes makes no difference here.

    Raises
    ------
    Unreadable
        If it is something else, or damaged.
    """
    require_pyarrow()
    from pyarrow import ArrowException, parquet

    try:
        table = parquet.read_table(file)
        table.validate(full=True)
    except (ArrowException, OSError, ValueError) as error:
        raise Unreadable(
            "expected a Parquet file, whole, got something else: write it again, for instance with "
            "DataFrame.to_parquet"
        ) from error
    return table
