"""Read `.arrow`, `.arrows` and `.feather` files: Arrow files or streams."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wassay.files.batches import Batches, Source, table_of
from wassay.files.errors import Unreadable
from wassay.files.extra import require_pyarrow

if TYPE_CHECKING:
    from pyarrow import RecordBatch

SUFFIXES = (".arrow", ".arrows", ".feather")
_FILE, _STREAM = b"ARROW1", b"\xff\xff\xff\xff"

_NO_ARROW = (
    "expected a complete Arrow file or stream, received something else: write the table again, for "
    "instance with DataFrame.to_feather (version 2)"
)


def recognises(head: bytes) -> bool:
    """Tell whether a file that begins with these bytes is an Arrow file or stream."""
    return head.startswith((_FILE, _STREAM))


def read(source: Source, class_column: str | None, only: str | None = None) -> Batches:
    """Open the table; see `Format.read` for the parameters.

    `class_column` is not used, because the file states all types.

    Raises
    ------
    Unreadable
        If the file has another format, or is damaged.
    """
    require_pyarrow()
    from pyarrow import ArrowException

    try:
        reader = _reader(source)
        schema, rows = reader.schema, _rows(source) if _is_file(source) else None
    except (ArrowException, OSError, ValueError) as error:
        raise Unreadable(_NO_ARROW) from error
    names = schema.names
    return Batches(
        _parts(reader, only), lambda parts: table_of(parts, schema), len(names), rows, names
    )


def _is_file(source: Source) -> bool:
    source.file.seek(0)
    head = source.file.read(len(_FILE))
    source.file.seek(0)
    return head == _FILE


def _reader(source: Source, options: Any = None) -> Any:
    from pyarrow import ipc

    open_content = ipc.open_file if _is_file(source) else ipc.open_stream
    return open_content(source.native(), options=options)


def _rows(source: Source) -> int:
    """Count the rows of a file by reading one column of each batch."""
    from pyarrow import ipc

    reader = _reader(source, ipc.IpcReadOptions(included_fields=[0]))
    return sum(reader.get_batch(number).num_rows for number in range(reader.num_record_batches))


def _parts(reader: Any, only: str | None) -> "Iterator[RecordBatch]":
    from pyarrow import ArrowException

    try:
        for batch in _batches(reader):
            batch.validate(full=True)
            yield batch if only is None else batch.select([only])
    except (ArrowException, OSError, ValueError) as error:
        raise Unreadable(_NO_ARROW) from error


def _batches(reader: Any) -> "Iterator[RecordBatch]":
    if not hasattr(reader, "num_record_batches"):  # The reader reads a stream.
        yield from reader
        return
    for number in range(reader.num_record_batches):
        yield reader.get_batch(number)
