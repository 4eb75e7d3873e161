"""Read `.csv` and `.tsv` files in UTF-8 or UTF-16, with names of columns in the first line."""

import codecs
import csv
import io
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from wassay.files.batches import Batches, Source
from wassay.files.errors import Unreadable
from wassay.files.extra import require_pyarrow
from wassay.recipes.columns import is_number

if TYPE_CHECKING:
    from pyarrow import ChunkedArray, RecordBatch, Table

SUFFIXES = (".csv", ".tsv")

_BLOCK_BYTES = 2**20
_MOST_BLOCK_BYTES = 2**31 - 1
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MISSING = [
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "NaT", "n/a", "nan", "null"),
]
"""Unquoted texts that mean a missing value, as pandas and R write them."""

_NO_TABLE = (
    "expected rows of text, separated by commas or tabs, received something else: write the "
    "table again, for instance with DataFrame.to_csv(index=False)"
)


def recognises(head: bytes) -> bool:
    """Tell whether a file that begins with these bytes has a comma or a tab in its first line."""
    first_line = head.partition(b"\n")[0]
    return b"\0" not in head and (b"," in first_line or b"\t" in first_line)


def read(source: Source, class_column: str | None, only: str | None = None) -> Batches:
    """Open the table; see `Format.read` for the parameters.

    `class_column` stays text; other columns of numbers become numbers.

    Raises
    ------
    Unreadable
        If the file has another format.
    """
    require_pyarrow()
    source, longest, has_quotes = _utf8(source)
    delimiter, names = _header(source)

    def parts() -> "Iterator[RecordBatch]":
        wanted = None if only is None else [only]
        yield from _parts(source, delimiter, names, wanted, longest, has_quotes)

    def join(batches: list[Any]) -> "Table":
        import pyarrow as pa

        # Decide types by all rows. Build columns by position, because names can occur twice.
        columns = [
            pa.chunked_array([batch.column(place) for batch in batches], pa.string())
            for place in range(len(names))
        ]
        typed = [
            column if name == class_column else _typed(column)
            for name, column in zip(names, columns, strict=True)
        ]
        return pa.table(typed, names=names)

    return Batches(parts(), join, len(names), names=names)


def _parts(
    source: Source,
    delimiter: str,
    names: list[str],
    wanted: list[str] | None,
    longest: int,
    has_quotes: bool,
) -> "Iterator[RecordBatch]":
    """Yield batches of rows as text, with the columns `wanted`, or all columns if it is None.

    `longest` is the length of the file's longest line in bytes.
    """
    import pyarrow as pa
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, open_csv

    ragged: list[Any] = []  # The rows that have another number of fields than the first line.

    def record(row: Any) -> str:
        ragged.append(row)
        return "error"

    try:
        reader = open_csv(
            source.native(),
            read_options=ReadOptions(
                use_threads=False,
                block_size=min(max(_BLOCK_BYTES, 2 * longest), _MOST_BLOCK_BYTES),
            ),
            parse_options=ParseOptions(
                delimiter=delimiter, newlines_in_values=has_quotes, invalid_row_handler=record
            ),
            # Read text, because guessing types would turn 00 into 0 and see only the first block.
            convert_options=ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=_MISSING,
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                include_columns=wanted,
            ),
        )
        if reader.schema.names != (wanted or names):
            raise Unreadable(_NO_TABLE)
        yield from reader
    except pa.ArrowInvalid as error:
        if ragged:
            raise Unreadable(_ragged(ragged[0])) from error
        raise Unreadable(_NO_TABLE) from error


def _typed(column: "ChunkedArray") -> "ChunkedArray":
    """Convert a column of texts to integers, floats or booleans, if all values allow it.

    Missing values stay missing.
    """
    from pyarrow import ArrowInvalid, bool_, compute, float64, int64

    trimmed = compute.utf8_trim_whitespace(column)
    for kind in (int64(), float64(), bool_()):
        with suppress(ArrowInvalid):
            return trimmed.cast(kind)
    return column


def _utf8(source: Source) -> tuple[Source, int, bool]:
    """Return the file in UTF-8, its longest line's length in bytes, and whether it has quotes.

    Raise `Unreadable` if the file is neither in UTF-8 nor in UTF-16.
    """
    file = source.file
    file.seek(0)
    start = file.read(len(codecs.BOM_UTF8))
    if start.startswith(_UTF_16):
        file.seek(0)
        try:
            source = Source(io.BytesIO(file.read().decode("utf-16").encode()))
        except UnicodeDecodeError as error:
            raise Unreadable(
                "expected text in UTF-16, because the file begins with the byte order mark of "
                "UTF-16, received something else: save the file in UTF-8"
            ) from error
    return source, *_checked(source)


def _checked(source: Source) -> tuple[int, bool]:
    """Return the length of the longest line in bytes, and whether there are quotes.

    Raise `Unreadable` if the content is not UTF-8, or has zero bytes.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    longest, unfinished, lines, has_quotes = 0, 0, 1, False
    source.file.seek(0)
    while block := source.file.read(_BLOCK_BYTES):
        _decode(decoder, block, lines)
        if b"\0" in block:
            raise Unreadable(
                "expected text in UTF-8 or, with a byte order mark, UTF-16, received zero bytes: "
                "save the file in UTF-8"
            )
        has_quotes = has_quotes or b'"' in block
        ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
        lines += len(ends)
        if len(ends):
            within = int(np.diff(ends).max(initial=0))
            longest = max(longest, unfinished + int(ends[0]) + 1, within)
            unfinished = len(block) - 1 - int(ends[-1])
        else:
            unfinished += len(block)
        longest = max(longest, unfinished)
    _decode(decoder, b"", lines)
    return longest, has_quotes


def _decode(decoder: codecs.IncrementalDecoder, block: bytes, lines: int) -> None:
    """Check that the next block, which begins in line `lines`, is UTF-8; an empty one is the end.

    Raises
    ------
    Unreadable
        If the file is not UTF-8.
    """
    pending = len(decoder.getstate()[0])
    try:
        decoder.decode(block, final=not block)
    except UnicodeDecodeError as error:
        lines += block.count(b"\n", 0, max(0, error.start - pending))
        raise Unreadable(
            f"expected text in UTF-8 or, with a byte order mark, UTF-16, received the byte "
            f"{error.object[error.start]:#04x} in line {lines}: save the file in UTF-8 (iconv -f "
            "LATIN1 -t UTF-8, if it is in Latin-1)"
        ) from error


def _header(source: Source) -> tuple[str, list[str]]:
    """Return the delimiter, and the names of the columns."""
    source.file.seek(0)
    text = io.TextIOWrapper(source.file, encoding="utf-8-sig", newline="")
    try:
        return _separated(text)
    finally:
        text.detach()  # Otherwise deleting `text` would close the file.


def _separated(text: io.TextIOWrapper) -> tuple[str, list[str]]:
    first_line = next((line for line in text if line.strip("\r\n")), None)
    if first_line is None:
        raise Unreadable(
            "expected names of columns in the first line, received an empty file: write the table "
            "again"
        )
    delimiter = "\t" if "\t" in first_line else ","
    text.seek(0)
    try:
        names = next(record for record in csv.reader(text, delimiter=delimiter) if record)
    except csv.Error as error:
        raise Unreadable(f"expected names of columns in the first line: {error}") from error
    if len(names) == 1 and ";" in first_line:
        raise Unreadable(
            "expected columns separated by commas or tabs, received columns that seem to be "
            "separated by ';': separate columns by commas, and write decimals with a point"
        )
    # If the file had no names, the first point would be taken for names and lost.
    if any(map(is_number, names)):
        raise Unreadable(
            f"expected names of columns in the first line, received {first_line.strip()[:60]!r}: "
            "add a line with names before the points"
        )
    return delimiter, names


def _ragged(row: Any) -> str:
    """Return an error message for a row that has more or fewer fields than the first line."""
    advice = (
        "if R wrote names of rows, write the table without them (write.csv(…, row.names = FALSE)); "
        "if decimals have a comma, write them with a point"
        if row.actual_columns > row.expected_columns
        else "complete the row"
    )
    return (
        f"expected as many fields in each row as names in the first line, {row.expected_columns}, "
        f"received {row.actual_columns} in {row.text[:60]!r}: {advice}"
    )
