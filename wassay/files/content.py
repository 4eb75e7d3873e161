"""Read all rows of a file, or a sample of its rows in batches."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from wassay.errors import InvalidArgumentError
from wassay.files.batches import Batches, Content, Source, rows_in
from wassay.files.columns import require_column
from wassay.files.errors import Unreadable
from wassay.files.limits import require_readable
from wassay.files.registry import Format, format_of
from wassay.sampling import CannotSample, Drawing, DrawnRows, Sample


def read_content(
    path: Path, class_column: str | None = None, *, most_rows: int | None = None
) -> Content:
    """Read all rows of a file, but raise if there are more than `most_rows`.

    If the file states no types, `class_column` is read as text.

    Raises
    ------
    InvalidArgumentError
        If the file is in no known format, is damaged, or has too many rows or values.
    """
    with _opened(path) as (source, format_):
        batches = _batches(source, format_, class_column)
        if batches.rows is not None:
            require_readable(batches.rows, batches.columns, most_rows)
        parts, rows = [], 0
        for part in batches.parts:
            rows += rows_in(part)
            require_readable(rows, batches.columns, most_rows, more=True)
            parts.append(part)
        return batches.join(parts)


def sample_content(
    path: Path, sample: Sample, class_column: str | None = None
) -> tuple[Content, DrawnRows]:
    """Read a sample of the rows of a file, in the file's order; return the rows and their numbers.

    If the file states no types, `class_column` is read as text.

    Raises
    ------
    InvalidArgumentError
        If the file is in no known format, or the sample cannot be drawn.
    """
    with _opened(path) as (source, format_):
        batches = _batches(source, format_, class_column)
        drawn = _drawn(source, format_, batches, sample)
        require_readable(len(drawn.numbers), batches.columns, None)
        return _batches(source, format_, class_column).take(drawn.numbers), drawn


def _batches(
    source: Source, format_: Format, class_column: str | None, only: str | None = None
) -> Batches:
    source.file.seek(0)
    return format_.read(source, class_column, only)


def _drawn(source: Source, format_: Format, batches: Batches, sample: Sample) -> DrawnRows:
    drawing = Drawing(sample)
    if sample.by is not None:
        require_column(batches.names, sample.by)
        for part in _batches(source, format_, sample.by, only=sample.by).parts:
            drawing.add_classes(map(_class_of, _column(part, sample.by).to_pylist()))
    elif batches.rows is not None:
        drawing.add(batches.rows)
    else:
        first = None if batches.names is None else batches.names[0]
        for part in _batches(source, format_, None, only=first).parts:
            drawing.add(rows_in(part))
    return drawing.drawn()


def _column(part: Any, name: str) -> Any:
    """Return one column of a batch, which may have others.

    Raises
    ------
    Unreadable
        If the format did not read the column.
    """
    names = [] if isinstance(part, np.ndarray) else part.schema.names
    if names.count(name) != 1:
        raise Unreadable(
            f"expected one column {name!r} in each batch, received {names} from the format's "
            f"module: let its read(…, only={name!r}) return this column"
        )
    return part.column(name)


def _class_of(value: Any) -> str | None:
    # Only NaN differs from itself.
    return None if value is None or value != value else str(value)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Source, Format]]:
    with path.open("rb") as opened:
        # A pipe cannot seek, which readers of formats need, so read a pipe into memory.
        seekable = opened.seekable()
        source = Source(opened, path) if seekable else Source(io.BytesIO(opened.read()))
        try:
            yield source, format_of(path.suffix, source.file)
        except (Unreadable, CannotSample) as error:
            raise InvalidArgumentError(f"{path}: {error}") from error
