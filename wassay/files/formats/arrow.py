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
    from pyarrow import ArrowException, ipc

    is_file = file.read(len(_FILE)) == _FILE
    file.seek(0)
    try:
        table = (ipc.open_file(file) if is_file else ipc.open_stream(file)).read_all()
        table.validate(full=True)
    except (ArrowException, OSError, ValueError) as error:
        raise Unreadable(
            "expected a complete Arrow file or stream, received something else: write it again, "
            "for instance with DataFrame.to_feather (version 2)"
        ) from error
    return table
