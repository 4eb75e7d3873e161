"""Read `.csv` and `.tsv`: text in UTF-8 or UTF-16, with the columns' names in the first line."""

import codecs
import csv
import io
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from wassay.files.errors import Unreadable
from wassay.files.extra import require_pyarrow

if TYPE_CHECKING:
    from pyarrow import ChunkedArray, Table

SUFFIXES = (".csv", ".tsv")

_BLOCK_BYTES = 2**20
_MOST_BLOCK_BYTES = 2**31 - 1
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MISSING = [
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "NaT", "n/a", "nan", "null"),
]
"""Unquoted texts that pandas and R write for a missing value."""

_NO_TABLE = (
    "expected rows of text, separated by commas or tabs, received something else: write the "
    "table again, for instance with DataFrame.to_csv(index=False)"
)


def recognises(head: bytes) -> bool:
    """Whether the first line is text with a separator."""
    first_line = head.partition(b"\n")[0]
    return b"\0" not in head and (b"," in first_line or b"\t" in first_line)


def read(file: BinaryIO, class_column: str | None) -> "Table":
    """Read the table: the class column as text, other columns as numbers if they hold numbers.

    Raises
    ------
    Unreadable
        If the file has another format.
    """
    require_pyarrow()
    import pyarrow as pa
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

    content = _utf8(file.read())
    delimiter, names = _header(content)
    ragged: list[Any] = []  # rows whose number of fields differs from the header's

    def record(row: Any) -> str:
        ragged.append(row)
        return "error"

    longest = max(map(len, io.BytesIO(content)))
    try:
        table = read_csv(
            pa.BufferReader(content),
            read_options=ReadOptions(
                block_size=min(max(_BLOCK_BYTES, 2 * longest), _MOST_BLOCK_BYTES)
            ),
            parse_options=ParseOptions(
                delimiter=delimiter,
                newlines_in_values=b'"' in content,
                invalid_row_handler=record,
            ),
            # Do not guess types: 00 would become 0, and only the first block would be considered.
            convert_options=ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=_MISSING,
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as error:
        if ragged:
            raise Unreadable(_ragged(ragged[0])) from error
        raise Unreadable(_NO_TABLE) from error
    if table.column_names != names:
        raise Unreadable(_NO_TABLE)
    columns = [
        column if name == class_column else _typed(column)
        for name, column in zip(names, table.columns, strict=True)
    ]
    return pa.table(columns, names=names)


def _typed(column: "ChunkedArray") -> "ChunkedArray":
    """Convert a column of numbers or booleans; return any other column as it is."""
    from pyarrow import ArrowInvalid, bool_, compute, float64

    trimmed = compute.utf8_trim_whitespace(column)
    for kind in (float64(), bool_()):
        with suppress(ArrowInvalid):
            return trimmed.cast(kind)
    return column


def _utf8(content: bytes) -> bytes:
    """Convert text to UTF-8 without a byte order mark."""
    try:
        if content.startswith(_UTF_16):
            content = content.decode("utf-16").encode()
        else:
            content = content.removeprefix(codecs.BOM_UTF8)
            content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable(
            f"expected text in UTF-8 or, with a byte order mark, UTF-16, received the byte "
            f"{content[error.start]:#04x} in line {line}: save it in UTF-8 (iconv -f LATIN1 -t "
            "UTF-8, if it is in Latin-1)"
        ) from error
    if b"\0" in content:
        raise Unreadable(
            "expected text in UTF-8 or, with a byte order mark, UTF-16, received zero bytes: save "
            "it in UTF-8"
        )
    return content


def _header(content: bytes) -> tuple[str, list[str]]:
    """Return the separator, and the names of the columns."""
    text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
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
            "separated by ';': write them with commas, and decimals with a point"
        )
    # Without names, the first point would be mistaken for them and lost.
    if any(map(_is_number, names)):
        raise Unreadable(
            f"expected names of columns in the first line, received {first_line.strip()[:60]!r}: "
            "add a line with names before the points"
        )
    return delimiter, names


def _ragged(row: Any) -> str:
    """Explain a row whose number of fields differs from the number of names."""
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


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
