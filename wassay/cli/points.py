"""Points, and their classes, from the files that people keep them in."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wassay.client.errors import InvalidArgumentError

if TYPE_CHECKING:
    from pyarrow import ChunkedArray, Table

TABLES = (".csv", ".parquet", ".arrow")


def read_points(path: Path) -> NDArray[np.float64]:
    """Read a matrix, one point a row, from a `.npy` file or a table of numbers.

    Raises
    ------
    InvalidArgumentError
        When the file holds something else.
    ModuleNotFoundError
        When it is a table and pyarrow is missing, which the extra `tables` installs.
    """
    return read_labelled(path)[0]


def read_labelled(
    path: Path, *, classes: Path | None = None, class_column: str | None = None
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Read points, and the class of each where it stands in a file or a column.

    Parameters
    ----------
    path
        A `.npy` file, one point a row; or a table (`.csv` with names in its first line, `.parquet`,
        `.arrow`), every column of which is a coordinate.
    classes
        A `.npy` file with the class of each point.
    class_column
        The column of the table that is none of the coordinates, but each point's class.

    Raises
    ------
    InvalidArgumentError
        When a file holds something else, or there are two sources of classes.
    ModuleNotFoundError
        When `path` is a table and pyarrow is missing, which the extra `tables` installs.
    """
    if classes is not None and class_column is not None:
        raise InvalidArgumentError("classes come from a file or from a column; name one of them")
    labels = None if classes is None else _read_npy(classes)
    if path.suffix.lower() not in TABLES:
        if class_column is not None:
            raise InvalidArgumentError(
                f"{path}: a class column is one of a table ({', '.join(TABLES)}); name a .npy file "
                "of classes instead"
            )
        return _read_npy(path), labels
    table = _read_table(path)
    if class_column is not None:
        place = _place(table, class_column, path)
        labels = np.array(_filled(table.column(place), class_column, path).to_pylist())
        table = table.remove_column(place)
    if not (table.num_rows and table.num_columns):
        raise InvalidArgumentError(f"{path}: at least one point with one coordinate is expected")
    columns = [
        _numbers(column, name, path)
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    return np.column_stack(columns), labels


def _read_npy(path: Path) -> NDArray[Any]:
    try:
        with path.open("rb") as file:
            return np.lib.format.read_array(file, allow_pickle=False)
    except ValueError as error:
        raise InvalidArgumentError(
            f"{path}: a .npy file of numbers is expected (save it with numpy.save), or a table "
            f"({', '.join(TABLES)})"
        ) from error


def _read_table(path: Path) -> "Table":
    try:
        from pyarrow import ArrowInvalid, csv, ipc, parquet
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "tables need pyarrow: pip install 'wassay[tables]'", name=error.name
        ) from error
    try:
        with path.open("rb") as file:
            match path.suffix.lower():
                case ".csv":
                    table = csv.read_csv(file)
                case ".parquet":
                    table = parquet.read_table(file)
                case _:
                    table = ipc.open_file(file).read_all()
            table.validate(full=True)
    except ArrowInvalid as error:
        raise InvalidArgumentError(f"{path}: {error}") from error
    if path.suffix.lower() == ".csv" and len(table.column_names) == 1:
        for other in (";", "\t"):
            if other in table.column_names[0]:
                raise InvalidArgumentError(
                    f"{path}: the columns of a .csv are separated by commas, these seem to be by "
                    f"{other!r}"
                )
    # Of a file without names, the first point would be taken for them and lost.
    if path.suffix.lower() == ".csv" and any(map(_is_number, table.column_names)):
        raise InvalidArgumentError(
            f"{path}: the first line of a .csv names its columns; it is "
            f"{','.join(table.column_names)[:60]!r}"
        )
    return table


def _place(table: "Table", name: str, path: Path) -> int:
    names: list[str] = table.column_names
    if names.count(name) != 1:
        raise InvalidArgumentError(
            f"{path}: one column {name!r} is expected; there are {', '.join(map(repr, names))}"
        )
    return names.index(name)


def _numbers(column: "ChunkedArray", name: str, path: Path) -> NDArray[np.float64]:
    numbers = _filled(column, name, path).to_numpy()
    if numbers.dtype.kind not in "iufb":
        texts = [str(number) for number in numbers]
        row = next((row for row, text in enumerate(texts) if not _is_number(text)), 0)
        raise InvalidArgumentError(
            f"{path}: column {name!r} holds {texts[row][:40]!r} ({column.type}) in row {row} (from "
            "0), where numbers are expected; leave the column out, or say that it is the points' "
            "class (--class-column)"
        )
    return np.asarray(numbers, dtype=np.float64)


def _filled(column: "ChunkedArray", name: str, path: Path) -> "ChunkedArray":
    """Return the column, every row of which holds something."""
    if column.null_count:
        row = int(np.argmax(column.is_null().to_numpy()))
        raise InvalidArgumentError(f"{path}: column {name!r} is empty in row {row} (from 0)")
    return column


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
