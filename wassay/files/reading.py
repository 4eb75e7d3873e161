"""Read points, and the class of each, from a file or a pipe."""

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.client.errors import InvalidArgumentError
from wassay.files.columns import classes_of, coordinates_of
from wassay.files.errors import Unreadable
from wassay.files.registry import Content, format_of


def read_points(path: Path) -> NDArray[np.float64]:
    """Read points from a `.npy` file or a table of numbers.

    Parameters
    ----------
    path : Path
        As for `read_labelled`.

    Returns
    -------
    ndarray, shape (n, d)
        One point a row.

    Raises
    ------
    InvalidArgumentError
        If the file holds something else.
    ModuleNotFoundError
        If it is a table and pyarrow is missing, which the extra `tables` installs.
    """
    return read_labelled(path)[0]


def read_labelled(
    path: Path, *, classes: Path | None = None, class_column: str | None = None
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Read points, and their classes from a second file or a column.

    Columns that name the rows, as pandas and R write them, are left out with a warning.

    Parameters
    ----------
    path : Path
        A `.npy` file, one point a row; or a table (`.csv` or `.tsv` with names in its first line,
        `.parquet`, `.arrow`), every column of which is a coordinate.
    classes : Path, optional
        A `.npy` file with the class of each point.
    class_column : str, optional
        The column of the table that holds each point's class, read as text.

    Returns
    -------
    points : ndarray, shape (n, d)
        One point a row.
    classes : ndarray, shape (n,), or None
        None if neither `classes` nor `class_column` is given.

    Raises
    ------
    InvalidArgumentError
        If a file holds something else, or there are two sources of classes.
    ModuleNotFoundError
        If `path` is a table and pyarrow is missing, which the extra `tables` installs.
    """
    labels = _classes_file(classes, class_column)
    content = _read(path, class_column)
    try:
        if isinstance(content, np.ndarray):
            return _matrix(content), labels
        if class_column is not None:
            labels = classes_of(content, class_column)
        return coordinates_of(content, class_column, path), labels
    except Unreadable as error:
        raise InvalidArgumentError(f"{path}: {error}") from error


def read_weights(path: Path) -> NDArray[np.float64]:
    """Read the weights of points from a `.npy` file, and divide them by their sum.

    Parameters
    ----------
    path : Path
        A `.npy` file with one number for each point.

    Returns
    -------
    ndarray, shape (n,)
        Weights that sum to 1.

    Raises
    ------
    InvalidArgumentError
        If the file holds something else, or the weights have no positive, finite sum.
    """
    weights = _read(path, None)
    if not isinstance(weights, np.ndarray) or weights.ndim != 1 or weights.dtype.kind not in "fiu":
        raise InvalidArgumentError(
            f"{path}: expected a .npy file with one number a point, shape (n,), received "
            f"{getattr(weights, 'shape', '')}: save one (numpy.save(path, measure.weights))"
        )
    total = float(weights.sum(dtype=np.float64))
    if not 0 < total < np.inf:
        raise InvalidArgumentError(
            f"{path}: expected weights with a positive, finite sum, received the sum {total}"
        )
    return np.asarray(weights, dtype=np.float64) / total


def read_rows(
    path: Path, *, classes: Path | None = None, class_column: str | None = None
) -> tuple[Content, NDArray[Any] | None]:
    """Read rows for a recipe, and classes as `read_labelled` does.

    Parameters
    ----------
    path : Path
        A table (`.csv`, `.tsv`, `.parquet`, `.arrow`), or a `.npy` file.
    classes : Path, optional
        A `.npy` file with the class of each row.
    class_column : str, optional
        The column of the table that holds each row's class, read as text.

    Returns
    -------
    rows : pyarrow.Table or ndarray
        The table with all its columns, that of the classes too; an array if it is a `.npy` file.
    classes : ndarray, shape (n,), or None
        None if neither `classes` nor `class_column` is given.

    Raises
    ------
    InvalidArgumentError
        If a file holds something else, or there are two sources of classes.
    ModuleNotFoundError
        If `path` is a table and pyarrow is missing, which the extra `tables` installs.
    """
    labels = _classes_file(classes, class_column)
    content = _read(path, class_column)
    if class_column is not None and not isinstance(content, np.ndarray):
        try:
            labels = classes_of(content, class_column)
        except Unreadable as error:
            raise InvalidArgumentError(f"{path}: {error}") from error
    return content, labels


def read_table(path: Path, *, class_column: str | None = None) -> Content:
    """Read a table with all its columns, for a recipe to choose from by name.

    Parameters
    ----------
    path : Path
        A table (`.csv`, `.tsv`, `.parquet`, `.arrow`), or a `.npy` file.
    class_column : str, optional
        A column that is read as text, so that 00 and 0 differ in every format.

    Returns
    -------
    pyarrow.Table or ndarray
        An array if it is a `.npy` file.

    Raises
    ------
    InvalidArgumentError
        If the file holds something else.
    ModuleNotFoundError
        If it is a table and pyarrow is missing, which the extra `tables` installs.
    """
    return _read(path, class_column)


def _read(path: Path, class_column: str | None) -> Content:
    with path.open("rb") as opened:
        # Readers seek, which a pipe cannot.
        file = opened if opened.seekable() else io.BytesIO(opened.read())
        try:
            return format_of(path.suffix, file).read(file, class_column)
        except Unreadable as error:
            raise InvalidArgumentError(f"{path}: {error}") from error


def _matrix(array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise Unreadable(
            "expected a matrix of numbers, one point a row, received shape "
            f"{array.shape} of {array.dtype}: save one (points.reshape(len(points), -1))"
        )
    return array


def _classes_file(classes: Path | None, class_column: str | None) -> NDArray[Any] | None:
    """Read the classes from their file, if there is one."""
    if classes is not None and class_column is not None:
        raise InvalidArgumentError(
            "expected classes from a file or from a column, received both: name one of them"
        )
    return None if classes is None else _labels(classes)


def _labels(path: Path) -> NDArray[Any]:
    labels = _read(path, None)
    if not isinstance(labels, np.ndarray) or labels.ndim != 1:
        raise InvalidArgumentError(
            f"{path}: expected a .npy file with one class a point, shape (n,), received "
            f"{getattr(labels, 'shape', '')}: save one, or name a column of the points' table "
            "(--class-column)"
        )
    if labels.dtype.kind != "S":
        return labels
    try:
        return np.char.decode(labels, "utf-8")
    except UnicodeDecodeError as error:
        raise InvalidArgumentError(
            f"{path}: expected classes in UTF-8, received {error.object[:40]!r}: save them as text"
        ) from error
