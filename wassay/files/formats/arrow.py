"""Read `.arrow` and `.feather`: an Arrow file or stream."""

from typing import TYPE_CHECKING, BinaryIO

from wassay.files.errors import Unreadable
from wassay.files.extra import require_pyarrow

if TYPE_CHECKING:
    from pyarrow import Table

SUFFIXES = (".arrow", ".arrows", ".feather")
_FILE, _STREAM = b"ARROW1", b"\xff\xff\xff\xff"


def recognises(head: bytes) -> bool:
    """Whether these are the first bytes of an Arrow file or stream."""
    return head.startswith((_FILE, _STREAM))


def read(file: BinaryIO, class_column: str | None) -> "Table":
    """Read the table; the class column is treated like any other.

    Raises
    ------
    Unreadable
        If the file has another format, or is damaged.
    """
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import ArrowException, ipc

    # From memory: threads of pyarrow that still hold a Python file abort a process that exits.
    content = file.read()
    source = pa.BufferReader(content)
    open_content = ipc.open_file if content.startswith(_FILE) else ipc.open_stream
    try:
        table = open_content(source).read_all()
        table.validate(full=True)
    except (ArrowException, OSError, ValueError) as error:
        raise Unreadable(
            "expected a complete Arrow file or stream, received something else: write it again, "
            "for instance with DataFrame.to_feather (version 2)"
        ) from error
    return table
