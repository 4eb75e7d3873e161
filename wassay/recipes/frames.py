"""Read columns from tables of pandas, polars and pyarrow, from mappings, and from arrays."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.arrays import is_array, to_numpy
from wassay.recipes.columns import Column, ColumnType, quoted, texts_of
from wassay.recipes.days import EPOCH, MICROSECONDS, days_since_1970
from wassay.recipes.errors import RecipeError

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_DAY = dt.timedelta(days=1)
IMAGE_AXES = (3, 4)
"""How many axes an array of images has: rows, height, width, and perhaps channels."""


def columns_of(frame: Any) -> dict[str, Column]:
    """Return the columns of a frame by name.

    Parameters
    ----------
    frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table, mapping or array
        A mapping has column names as keys, and lists, series or arrays as values. The columns of a
        matrix are named x0, x1, …; an array of three or four dimensions is one column, `image`.

    Raises
    ------
    RecipeError
        If the frame is none of these or has no columns, two columns have one name, or columns
        differ in length.
    """
    if isinstance(frame, Mapping):
        columns = {str(name): _to_column(str(name), values) for name, values in frame.items()}
    elif is_array(frame):
        columns = _of_array(to_numpy(frame))
    else:
        columns = _of_table(frame)
    if not columns:
        raise RecipeError("expected a frame with columns, received none")
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise RecipeError(
            f"expected columns of one length, received lengths {sorted(lengths)}: "
            "give each row a value, or None where it is missing"
        )
    return columns


def column_of(frame: Any, name: str) -> Column:
    """Read one column of a frame.

    Raises
    ------
    RecipeError
        If no column, or more than one, has this name.
    """
    if isinstance(frame, Mapping):
        found = {str(each): values for each, values in frame.items()}
        if name in found:
            return _to_column(name, found[name])
        names = list(found)
    elif is_array(frame):
        names = []
    else:
        import narwhals.stable.v2 as nw

        table = nw.from_native(frame, eager_only=True, pass_through=True)
        columns: list[Any] = list(table.iter_columns()) if isinstance(table, nw.DataFrame) else []
        names = [str(each.name) for each in columns]
        if names.count(name) == 1:
            return _of_series(name, columns[names.index(name)])
    raise RecipeError(
        f"expected a table with one column {name!r}, received {quoted(names) or 'no columns'}: "
        "name one of its columns"
    )


def _of_array(array: NDArray[Any]) -> dict[str, Column]:
    if array.ndim in IMAGE_AXES:
        return {"image": _array("image", array)}
    if array.ndim != 2:
        raise RecipeError(
            f"expected one row per record, received an array of shape {array.shape}: "
            "give a matrix, or images (N×H×W, N×C×H×W or N×H×W×C)"
        )
    return {f"x{index}": _array(f"x{index}", array[:, index]) for index in range(array.shape[1])}


def _of_table(frame: Any) -> dict[str, Column]:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        table = nw.from_native(frame, eager_only=True)
        names = [str(name) for name in table.columns]
    except DuplicateError as error:
        raise RecipeError(
            f"expected columns of different names, received one name twice: rename one ({error})"
        ) from error
    except TypeError as error:
        raise RecipeError(
            "expected a DataFrame of pandas or polars, a table of pyarrow, a mapping of names to "
            f"columns, or an array, received {type(frame).__name__}: convert it (a lazy frame: "
            "collect it)"
        ) from error
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise RecipeError(
            f"expected columns of different names, received {quoted(repeated)} twice: rename one"
        )
    columns = {
        name: _of_series(name, series)
        for name, series in zip(names, table.iter_columns(), strict=True)
    }
    for name in index_columns(frame) & columns.keys():
        columns[name] = replace(columns[name], index=True)
    return columns


def index_columns(table: Any) -> set[str]:
    """Return the columns of a pyarrow table that were the index of a pandas frame.

    Empty for tables of other libraries.
    """
    recorded = getattr(getattr(table, "schema", None), "pandas_metadata", None) or {}
    return {each for each in recorded.get("index_columns", ()) if isinstance(each, str)}


def _to_column(name: str, values: Any) -> Column:
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return _of_series(name, series)
    if is_array(values):
        return _array(name, to_numpy(values))
    to_list = getattr(values, "to_pylist", None)  # pyarrow.Array
    return _of_objects(name, list(values) if to_list is None else to_list())


def _of_series(name: str, series: nw.Series[Any]) -> Column:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    missing = np.asarray(series.is_null().to_numpy(), dtype=np.bool_)
    if dtype.is_integer():
        return _numbers(name, "integer", series, missing)
    if dtype == nw.Boolean:
        return _numbers(name, "boolean", series, missing)
    if dtype.is_float():
        return _numbers(name, "number", series, missing)
    if dtype == nw.Datetime:
        microseconds = series.dt.timestamp("us")
        column = _numbers(name, "datetime", microseconds, missing)
        return Column(name, "datetime", column.values / MICROSECONDS, column.missing)
    if isinstance(dtype, nw.Array | nw.List):
        return _of_lists(name, series.to_list())
    order = None
    if isinstance(dtype, nw.Categorical | nw.Enum) and nw.is_ordered_categorical(series):
        order = tuple(str(each) for each in series.cat.get_categories().to_list())
    column = _of_objects(name, series.to_list())
    return (
        column if order is None else Column(name, "text", texts_of(column), column.missing, order)
    )


def _numbers(
    name: str, kind: ColumnType, series: nw.Series[Any], missing: NDArray[np.bool_]
) -> Column:
    if missing.any():
        series = series.fill_null(False if kind == "boolean" else 0)
    values = np.asarray(series.to_numpy()).astype(np.float64, copy=False)
    missing = np.asarray(missing | np.isnan(values), dtype=np.bool_)
    return Column(name, kind, values, missing)


def _of_lists(name: str, rows: list[Any]) -> Column:
    missing = np.array([row is None for row in rows], dtype=np.bool_)
    lengths = {len(row) for row in rows if row is not None}
    if len(lengths) > 1:
        raise RecipeError(
            f"expected lists of one length in column {name!r}, received lengths from "
            f"{min(lengths)} to {max(lengths)}: give each row a vector of the same dimension"
        )
    size = lengths.pop() if lengths else 0
    try:
        filled = [np.zeros(size) if row is None else np.asarray(row, np.float64) for row in rows]
    except (TypeError, ValueError) as error:
        raise RecipeError(
            f"expected lists of numbers in column {name!r}, received something else: convert them"
        ) from error
    values = np.stack(filled) if filled else np.zeros((0, size))
    return Column(name, "array", values, missing)


def _array(name: str, array: NDArray[Any]) -> Column:
    if array.ndim == 0:
        raise RecipeError(
            f"expected a value for each row of column {name!r}, received one value: give a list"
        )
    if array.ndim > 1:
        values = array.astype(np.float64)
        missing = np.isnan(values).reshape(len(values), -1).any(axis=1)
        return Column(name, "array", values, np.asarray(missing, dtype=np.bool_))
    if array.dtype.kind in "biu":
        kind: ColumnType = "boolean" if array.dtype.kind == "b" else "integer"
        return Column(name, kind, array.astype(np.float64), np.zeros(len(array), dtype=np.bool_))
    if array.dtype.kind == "f":
        values = array.astype(np.float64, copy=False)
        return Column(name, "number", values, np.isnan(values))
    if array.dtype.kind == "M":
        array = array.astype("datetime64[us]")
    return _of_objects(name, array.tolist())


def _of_objects(name: str, objects: list[Any]) -> Column:
    """Read a list of Python objects of one type, some of which may be missing."""
    missing = np.fromiter(map(is_missing, objects), dtype=np.bool_, count=len(objects))
    present = [each for each, absent in zip(objects, missing, strict=True) if not absent]
    types = {type(each) for each in present}
    kind, values = _typed(name, types, present)
    filled: NDArray[Any] = np.zeros(len(objects), dtype=object if kind == "text" else np.float64)
    if kind == "array":
        return _of_lists(name, [None if is_missing(each) else each for each in objects])
    filled[~missing] = values
    return Column(name, kind, filled, missing)


def _typed(name: str, types: set[type], present: list[Any]) -> tuple[ColumnType, NDArray[Any]]:
    def all_are(*expected: type) -> bool:
        return all(issubclass(each, expected) for each in types)

    if not types:
        return "empty", np.zeros(0)
    if all_are(bool, np.bool_):
        return "boolean", np.array(present, dtype=np.float64)
    if all_are(str):
        return "text", _object_array(present)
    if not types & {bool, np.bool_}:
        if all_are(int, np.integer):
            return "integer", np.array([float(each) for each in present])
        if all_are(int, float, Decimal, np.number):
            return "number", np.array([float(each) for each in present])
    if all_are(dt.datetime):
        return "datetime", np.array([days_since_1970(each) for each in present])
    if all_are(dt.date) and not any(issubclass(each, dt.datetime) for each in types):
        return "date", np.array([float((each - EPOCH.date()).days) for each in present])
    if all_are(dt.timedelta):
        return "number", np.array([each / _DAY for each in present])
    if all_are(list, tuple, np.ndarray):
        return "array", np.zeros(0)
    shown = ", ".join(sorted(each.__name__ for each in types))
    raise RecipeError(
        f"expected numbers, texts, booleans or dates in column {name!r}, one type in all rows, "
        f"received {shown}: convert the column, or leave it out (roles={{{name!r}: 'ignored'}})"
    )


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT or pandas' NA."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA has no truth value
        return True
    except ValueError:  # an array, which is a value
        return False


def _object_array(values: list[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
