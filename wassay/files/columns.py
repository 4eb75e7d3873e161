"""Split a table into classes and coordinates; leave out the columns that name the rows."""

import re
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wassay.files.errors import Unreadable
from wassay.index_columns import names_rows, numbers_rows
from wassay.recipes.columns import is_number
from wassay.recipes.frames import index_columns

if TYPE_CHECKING:
    from pyarrow import ChunkedArray, Table

_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")


def classes_of(table: "Table", name: str) -> NDArray[np.str_]:
    """Return the class of each row as text, so that 0 and 00 differ in every format.

    Raises
    ------
    Unreadable
        If no column or several columns have the name, or a row has no class.
    """
    values = _filled(_column(table, name), name).to_pylist()
    for row, value in enumerate(values):
        if value == "" or value != value:  # Only NaN differs from itself.
            raise Unreadable(_empty(name, row))
    return np.array([_text(value, name) for value in values])


def coordinates_of(table: "Table", class_column: str | None, path: object) -> NDArray[np.float64]:
    """Return the coordinates of points, without `class_column` and without an index of the rows.

    A warning names the file `path` and each index left out.

    Raises
    ------
    Unreadable
        If a coordinate is missing or no number, or there is no row or no coordinate. Also if one of
        several remaining columns numbers the rows from 0 or 1: it may be an unrecognised index.
    """
    columns = [
        (name, column)
        for name, column in zip(table.column_names, table.columns, strict=True)
        if name != class_column
    ]
    indices = index_columns(table)
    # pandas and R write an index. It is recognised by its name or by pandas' metadata.
    left_out = [name for name, _ in columns if name in indices or names_rows(name)]
    if left_out:
        warnings.warn(
            f"{path}: left out {', '.join(map(repr, left_out))}: names of rows, not coordinates",
            stacklevel=3,
        )
    numbers = {
        index: _numbers(column, name)
        for index, (name, column) in enumerate(columns)
        if name not in left_out
    }
    if not (table.num_rows and numbers):
        raise Unreadable(
            "expected at least one point with one coordinate, received none: add rows, or "
            "columns of numbers"
        )
    if len(numbers) > 1:
        for index, values in numbers.items():
            if numbers_rows(values):
                raise Unreadable(
                    f"expected coordinates, received column {columns[index][0]!r} with the numbers "
                    f"{values[0]:g} to {values[-1]:g} of the rows: remove it from the file, or, "
                    "if it is a coordinate, put the rows in another order"
                )
    return np.column_stack(list(numbers.values()))


def _column(table: "Table", name: str) -> "ChunkedArray":
    names: list[str] = table.column_names
    require_column(names, name)
    return table.column(names.index(name))


def require_column(names: list[str] | None, name: str) -> None:
    """Raise unless exactly one column has the name.

    Raises
    ------
    Unreadable
        If no column or several columns have the name. Also if `names` is None, as for an array.
    """
    if names is None:
        raise Unreadable(
            f"expected a table with a column {name!r}, received an array: leave out the column"
        )
    if names.count(name) != 1:
        raise Unreadable(
            f"expected one column {name!r}, received the columns {', '.join(map(repr, names))}: "
            "name one of these"
        )


def _text(value: Any, name: str) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"expected text in UTF-8 in column {name!r}, received the bytes {value[:40]!r}: write "
            "the column as text"
        ) from error


def _numbers(column: "ChunkedArray", name: str) -> NDArray[np.float64]:
    """Convert the column `name`, of integers, floats, decimals or booleans, to float64."""
    from pyarrow import compute, float64, types

    filled = _filled(column, name)
    if types.is_dictionary(filled.type):
        filled = filled.cast(filled.type.value_type)
    kind = filled.type
    if not (types.is_primitive(kind) or types.is_decimal(kind)) or types.is_temporal(kind):
        texts = [str(value) for value in filled.to_pylist()]
        row = next((row for row, text in enumerate(texts) if not is_number(text)), 0)
        advice = (
            "write decimals with a point, and without separators of thousands"
            if _DECIMAL_COMMA.fullmatch(texts[row].strip())
            else "remove the column, or name it as the points' class (--class-column)"
        )
        raise Unreadable(
            f"expected numbers in column {name!r}, received {texts[row][:40]!r} ({kind}) in row "
            f"{row} (from 0): {advice}"
        )
    numbers: NDArray[np.float64] = compute.cast(filled, float64(), safe=False).to_numpy()
    return numbers


def _filled(column: "ChunkedArray", name: str) -> "ChunkedArray":
    """Return the column `name` unchanged; raise `Unreadable` if a row has no value."""
    if column.null_count:
        raise Unreadable(_empty(name, int(np.argmax(column.is_null().to_numpy()))))
    return column


def _empty(name: str, row: int) -> str:
    return (
        f"expected a value in column {name!r}, received none in row {row} (from 0): add a value, "
        'or remove the row (in a .csv file, put quotes around a class with the name "NA")'
    )
